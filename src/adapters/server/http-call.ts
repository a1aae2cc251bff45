// Adapts a node:http request to a call to the core.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Reception } from '../../mock/requests/reception.ts'
import type { Call } from '../../mock/requests/call.ts'
import type { Guard } from './guard.ts'
import { createHangUpSignal, hasBody, type Host, type HostResponse } from './host.ts'
import { apiRoot, baseUrlOf, headerOf, sandboxHeader, sandboxOf, type Target } from './targets.ts'

export interface CallContext {
  /** Origin of the server. */
  readonly url: string
  readonly guard: Guard
}

export class HttpCall implements Call {
  readonly method: string
  readonly baseUrl: string
  readonly path: string
  readonly query: string
  readonly outside: string | undefined
  readonly body: Call['body']
  readonly isRemote = true
  readonly reception: Reception
  readonly #context: CallContext
  readonly #outgoing: ServerResponse
  readonly #request: IncomingMessage
  readonly #target: Target

  constructor(host: Host, context: CallContext, outgoing: HostResponse, target: Target) {
    const request = outgoing.req
    this.#context = context
    this.#outgoing = outgoing
    this.#request = request
    this.#target = target
    this.method = request.method ?? 'GET'
    this.baseUrl = baseUrlOf(request, target, context.url)
    this.path = target.path
    this.query = target.query
    this.reception = outgoing.reception = new Reception(request.rawHeaders, Date.now())
    this.body = hasBody(request) ? (limits) => host.readBody(outgoing, limits) : null
    this.outside = target.isOutside ? `${this.baseUrl.slice(0, -apiRoot.length)}${target.path}` : undefined
  }

  /** Created when read, because only faults with a delay need it. */
  get signal(): AbortSignal {
    return createHangUpSignal(this.#outgoing)
  }

  header(name: string): string | null {
    if (name === sandboxHeader) return sandboxOf(this.#request, this.#target)
    const value = headerOf(this.#request, name)
    // Only a request that the control API would admit can come from the console.
    const isIgnored =
      name === 'x-mock-console' && value !== null && this.#context.guard(this.#request, false) !== undefined
    return isIgnored ? null : value
  }

  *headers(): Iterable<readonly [string, string]> {
    for (const name of Object.keys(this.#request.headers)) yield [name, headerOf(this.#request, name) ?? '']
  }
}
