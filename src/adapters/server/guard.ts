// Controls access to the control API. Requests must come from this machine or an allowed host, must not come from pages
// of other origins, and must have the token if one is required.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { quote } from '../../contract/text/quote.ts'
import { addressNameOf, parseHostName, isLoopbackName } from './addresses.ts'

interface GuardOptions {
  /** Host names that are allowed in addition to this machine's own. */
  readonly allowHosts: readonly string[]
  /** The required value of `X-Mock-Token`; undefined if none is required. */
  readonly token: string | undefined
}

/** Returns why a request is refused, judged by its head alone; undefined if it is admitted. */
export type Guard = (request: IncomingMessage, isPage: boolean) => string | undefined

const hashText = (text: string) => createHash('sha256').update(text).digest()

export function createGuard({ allowHosts, token }: GuardOptions): Guard {
  const allowed = new Set(allowHosts.map((name) => addressNameOf(name)))
  const expected = token === undefined ? undefined : hashText(token)
  return (request, isPage) => {
    const forbidden = findHostRefusal(request, allowed) ?? findPageRefusal(request, isPage)
    if (forbidden !== undefined) return forbidden
    // A link cannot carry a header, and the page itself contains no data.
    if (expected === undefined || isPage) return undefined
    const { 'x-mock-token': sent } = request.headers
    if (typeof sent === 'string' && timingSafeEqual(hashText(sent), expected)) return undefined
    const received = sent === undefined ? 'no X-Mock-Token' : 'a different X-Mock-Token'
    return `the control API requires the header X-Mock-Token with the token that serve was given or printed; received ${received}`
  }
}

function findHostRefusal(request: IncomingMessage, allowed: ReadonlySet<string>): string | undefined {
  const { host } = request.headers
  const name = parseHostName(host)
  if (name === null || !(isLoopbackName(name) || allowed.has(name)))
    return `the control API is not available under the host ${quote(host ?? '')}; --allow-host NAME allows another one`
  const peer = addressNameOf(request.socket.remoteAddress)
  if (!isLoopbackName(peer) && !allowed.has(peer) && !allowed.has(name))
    return `the control API is available to this machine only, not to ${peer}; --allow-host NAME allows another one`
  return undefined
}

/**
 * Refuses requests from pages of other origins, including other ports of this machine. Browsers send `Origin` with
 * requests that could change something, and the page's relation to this server in `Sec-Fetch-Site`. Links to the
 * console are allowed.
 */
function findPageRefusal({ headers }: IncomingMessage, isPage: boolean): string | undefined {
  const { host, origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers
  if (origin !== undefined && origin.toLowerCase() !== `http://${(host ?? '').toLowerCase()}`)
    return `the control API only accepts requests from its own origin; received Origin: ${quote(origin)}`
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined
  if (isPage && mode === 'navigate' && (dest === undefined || dest === 'document')) return undefined
  return `the control API does not accept requests from pages of another origin; received Sec-Fetch-Site: ${quote(site)}`
}
