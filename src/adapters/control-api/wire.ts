// How another process calls the controls listed in table.ts: their methods, and the request for each call.
import { fillPath } from '../../contract/operation.ts'
import type { RemoteControls } from './own.ts'
import { routeList, type ControlRoute, type NamedRoute, type NamedSetting } from './table.ts'

export type PromisedMethods<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : PromisedMethods<Methods[Name]>
}

/** Creates controls in which each method passes its route and arguments to `call`. */
export function createControlsOver(call: (route: NamedRoute, args: readonly unknown[]) => Promise<unknown>) {
  const methods: Record<string, unknown> = {}
  for (const route of routeList) {
    const method = (...args: readonly unknown[]) => call(route, args)
    const [name = '', inner] = route.names
    methods[name] =
      inner === undefined ? method : { ...(methods[name] as object | undefined), [inner]: method }
  }
  // `routeList` has every method, but TypeScript cannot infer that for an object built entry by entry.
  return methods as PromisedMethods<RemoteControls>
}

/** Names of a route's fields outside its path. */
export const fieldNamesOf = ({ route, args }: ControlRoute): readonly string[] =>
  args
    .flatMap((arg) => (typeof arg === 'string' ? [arg] : 'body' in arg ? [] : arg))
    .filter((name) => !route.includes(`{${name}}`))

/** True if fields outside the path are sent in the query. */
export const hasQuery = ({ route }: ControlRoute): boolean => /^(?:GET|DELETE) /.test(route)

/** Builds a control's arguments from its fields by name, or from `body` if an argument is the whole body. */
export const argumentsOf = (
  { args }: ControlRoute,
  fields: Readonly<Record<string, unknown>>,
  body?: unknown,
): unknown[] =>
  args.map((arg) => {
    if (typeof arg === 'string') return fields[arg]
    if ('body' in arg) return body
    const sent = arg.filter((name) => Object.hasOwn(fields, name))
    return Object.fromEntries(sent.map((name) => [name, fields[name]]))
  })

export function changeSetting(
  controls: PromisedMethods<RemoteControls>,
  { control, id: idName, field }: NamedSetting,
  id: string,
  value: unknown,
): Promise<unknown> {
  const args = argumentsOf(control, { [idName]: id, [field]: value })
  return Promise.resolve(callNamed(controls, control.names, args))
}

/** Calls a control by its name, after the group if it has one. */
export function callNamed(controls: object, names: readonly string[], args: readonly unknown[]): unknown {
  let member: unknown = controls
  for (const name of names) member = (member as Readonly<Record<string, unknown>>)[name]
  return (member as (...given: readonly unknown[]) => unknown)(...args)
}

/** Builds the request for a call. Arguments named in the path go into the path, others into the query or the body. */
export function requestOf(entry: ControlRoute, values: readonly unknown[]) {
  const [method = '', template = ''] = entry.route.split(' ')
  const fields: Record<string, unknown> = {}
  let body: unknown
  for (const [index, arg] of entry.args.entries()) {
    if (typeof arg === 'string') fields[arg] = values[index]
    else if ('body' in arg) body = values[index]
    else Object.assign(fields, values[index])
  }
  const path = fillPath(template, (name) => String(fields[name]))
  const sent = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && !template.includes(`{${name}}`),
  )
  if (!hasQuery(entry))
    return { method, path, body: body ?? (sent.length > 0 ? Object.fromEntries(sent) : undefined) }
  const query = new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))
  if (entry.flag !== undefined) query.set(entry.flag, 'true')
  return { method, path: query.size === 0 ? path : `${path}?${String(query)}` }
}
