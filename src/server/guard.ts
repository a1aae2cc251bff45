// Access to the control API: by this machine or an allowed host, from no other page, with the token if one is set.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { addressName, hostName, isLoopbackName } from './addresses.ts'
import type { Target } from './http-call.ts'

export interface GuardOptions {
  /** Names that count as this machine's own. */
  readonly allowHosts: readonly string[]
  /** The required value of `X-Mock-Token`; undefined if none is required. */
  readonly token: string | undefined
}

/** Why a request is refused, from its head alone; undefined if it is admitted. */
export type Guard = (request: IncomingMessage, target: Target) => string | undefined

const digest = (text: string) => createHash('sha256').update(text).digest()

export function createGuard({ allowHosts, token }: GuardOptions): Guard {
  const allowed = new Set(allowHosts.map((name) => addressName(name)))
  const expected = token === undefined ? undefined : digest(token)
  return (request, target) => {
    const isPage = request.method === 'GET' && target.path === '/'
    const forbidden = hostRefusal(request, allowed) ?? pageRefusal(request, isPage)
    if (forbidden !== undefined) return forbidden
    // A link cannot carry a header, and the page itself contains no data.
    if (expected === undefined || isPage) return undefined
    const { 'x-mock-token': sent } = request.headers
    if (typeof sent === 'string' && timingSafeEqual(digest(sent), expected)) return undefined
    const received = sent === undefined ? 'no X-Mock-Token' : 'another X-Mock-Token'
    return `the control API needs the header X-Mock-Token with the token that serve was given or printed; received ${received}`
  }
}

function hostRefusal(request: IncomingMessage, allowed: ReadonlySet<string>): string | undefined {
  const { host } = request.headers
  const name = hostName(host)
  if (name === null || !(isLoopbackName(name) || allowed.has(name)))
    return `the control API is not called by the host ${JSON.stringify(host ?? '')}; --allow-host NAME allows one more`
  const peer = addressName(request.socket.remoteAddress)
  if (!isLoopbackName(peer) && !allowed.has(peer) && !allowed.has(name))
    return `the control API answers this machine alone, not ${peer}; --allow-host NAME allows one more`
  return undefined
}

/**
 * A page of another origin can neither read nor send anything here, one on another port of this machine included. A
 * browser names the origin of what could change something, and how the page relates to this server; a link may lead
 * to the console.
 */
function pageRefusal({ headers }: IncomingMessage, isPage: boolean): string | undefined {
  const { host, origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers
  if (origin !== undefined && origin.toLowerCase() !== `http://${(host ?? '').toLowerCase()}`)
    return `the control API answers no other origin than its own, not ${JSON.stringify(origin)}`
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined
  if (isPage && mode === 'navigate' && (dest === undefined || dest === 'document')) return undefined
  return `the control API answers no page of another origin; received Sec-Fetch-Site: ${JSON.stringify(site)}`
}
