// A request's log line: status, method, address, and the reason for an error with a link to the console.
import { isObject } from '../../../contract/data/objects.ts'
import type { ApiResponse } from '../../../mock/requests/call.ts'
import type { WorkspaceMock } from '../../../mock.ts'
import { targetOf } from '../../../adapters/server/targets.ts'
import type { LoggedRequest } from '../../../adapters/server/respond.ts'
import { toShortLine, applyStyle } from '../terminal.ts'

export function readReason(response: ApiResponse | null): { error: string | null; hint: string | null } {
  if (!response || response.status < 400) return { error: null, hint: null }
  return { error: errorOf(response.body), hint: response.headers['x-mock-hint'] ?? null }
}

function errorOf(body: ApiResponse['body']): string | null {
  if (typeof body !== 'string') return null
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) && typeof value.error === 'string' ? value.error : null
  } catch {
    return null
  }
}

/** True for successful reads of the control API, which are not logged because the console polls it. */
export function isControlRead({ method, url, response }: LoggedRequest): boolean {
  return method === 'GET' && response !== null && response.status < 400 && targetOf(url).surface === 'control'
}

/** The address of a failed request in the console; null for other requests, or if the journal has no entry. */
export function findConsoleLink(
  mock: WorkspaceMock,
  consoleUrl: string,
  { method, url, response, sandbox }: LoggedRequest,
): string | null {
  const { surface, path } = targetOf(url)
  if (!response || response.status < 400 || surface !== 'api') return null
  if (sandbox !== null && !mock.sandboxes().includes(sandbox)) return null
  const controls = sandbox === null ? mock : mock.sandbox(sandbox)
  const request = controls
    .requests({ status: response.status, limit: 50 })
    .findLast((entry) => entry.method === method && entry.path === path)
  if (!request) return null
  const fragment = new URLSearchParams({
    request: String(request.id),
    ...(sandbox !== null && { from: sandbox }),
  })
  return `${consoleUrl}${consoleUrl.includes('#') ? '&' : '#'}${fragment.toString()}`
}

export function formatRequest({ method, url, response }: LoggedRequest, link: string | null = null): string {
  const request = `${method.padEnd(6)} ${toShortLine(url, 160)}`
  if (!response)
    return `${applyStyle('red', '---')} ${request} ${applyStyle('dim', 'the connection was broken')}`
  const { error, hint } = readReason(response)
  const reason = toShortLine((error ?? '') + (hint === null ? '' : ` (${hint})`), 200)
  const style = response.status >= 500 ? 'red' : response.status >= 400 ? 'yellow' : 'green'
  const status = applyStyle(style, String(response.status))
  const below = link === null ? '' : `\n    ${applyStyle('dim', link)}`
  return `${status} ${request}${reason === '' ? '' : ` ${applyStyle('dim', reason)}`}${below}`
}
