// The source of a console that talks to a standalone server through its control API.
import { filledPath } from '../../contract/operation.ts'
import type { NamedRoute } from '../../controls/routes.ts'
import { createSource, type ConsoleSource } from './source.ts'

function messageOf(status: number, answer: unknown): string {
  const isObject = typeof answer === 'object' && answer !== null
  return isObject && 'error' in answer && typeof answer.error === 'string'
    ? answer.error
    : `the mock answered ${String(status)}`
}

/** A control's call as the control API takes it: fields of the path, others in the query or the body. */
function requestOf({ route, flag, args: names }: NamedRoute, args: readonly unknown[]) {
  const [method = '', template = ''] = route.split(' ')
  const fields = new Map<string, unknown>()
  if (flag !== undefined) fields.set(flag, true)
  let body: unknown
  for (const [index, name] of names.entries()) {
    if (typeof name === 'string') fields.set(name, args[index])
    else if ('body' in name) body = args[index]
    else for (const [field, value] of Object.entries(args[index] ?? {})) fields.set(field, value)
  }
  const path = filledPath(template, (name) => {
    const value = String(fields.get(name))
    fields.delete(name)
    return value
  })
  const sent = [...fields].filter(([, value]) => value !== undefined)
  if (method !== 'GET' && method !== 'DELETE')
    return { method, path, body: body ?? (sent.length > 0 ? Object.fromEntries(sent) : undefined) }
  const query = new URLSearchParams(sent.map(([name, value]) => [name, String(value)])).toString()
  return { method, path: query === '' ? path : `${path}?${query}` }
}

/** `origin` of the server, such as `http://127.0.0.1:4010`; `token` is what its control API asks for. */
export function createHttpSource(origin: string, token: string | null = null): ConsoleSource {
  return createSource(`${origin}/v1`, async (sandbox, route, args) => {
    const { method, path, body } = requestOf(route, args)
    const response = await fetch(`${origin}/__mock${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { 'x-mock-token': token }),
        ...(sandbox === null ? {} : { 'x-mock-sandbox': sandbox }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(messageOf(response.status, answer))
    return route.under === undefined ? answer : (answer as Readonly<Record<string, unknown>>)[route.under]
  })
}
