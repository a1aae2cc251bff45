// A user-defined response that a fault sends whatever the contract says: its shape, its validation and its conversion.
import * as z from 'zod/mini'
import { isObject } from '../../contract/data/objects.ts'
import { TextMap } from '../../contract/schema/maps.ts'
import { quote } from '../../contract/text/quote.ts'
import { ControlError } from '../control-error.ts'
import type { ApiResponse } from '../requests/call.ts'
import { corsHeaders } from '../requests/responses.ts'

export interface OwnResponse {
  /** 200 to 599. */
  readonly status: number
  /** By name, in any letter case. The default content type is JSON, or plain text for a string. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A string is sent as it is, anything else as JSON. No body if absent. */
  readonly body?: unknown
}

export const OwnResponseShape = z.strictObject({
  status: z.int().check(z.gte(200), z.lte(599)),
  headers: z.optional(TextMap),
  body: z.optional(z.unknown()),
})

/** Statuses for which HTTP allows no body. */
const bodiless: readonly number[] = [204, 205, 304]
/** Headers that belong to the connection; the server sets them. */
const ofConnection = ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade', 'trailer']

/** Does not compare prototypes by identity, because test environments have realms of their own. */
const isPlain = (value: unknown) =>
  isObject(value) && Object.prototype.toString.call(value) === '[object Object]'

/** The path of the first value that JSON cannot represent; undefined if none. Recurses without a depth check. */
function findNonJson(value: unknown, path: string): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path
  if (!Array.isArray(value) && !isPlain(value)) return path
  for (const [name, inner] of Object.entries(value as object)) {
    const found = findNonJson(inner, `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function assertHeaders(headers: Readonly<Record<string, string>>): void {
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    const place = `effect.respond.headers: ${quote(name)}`
    const key = name.toLowerCase()
    if (!/^[!#$%&'*+.^_`|~\da-z-]+$/.test(key)) throw new ControlError(`${place} is not a valid header name`)
    if (ofConnection.includes(key))
      throw new ControlError(`${place} must be left out: it belongs to the connection`)
    if (seen.has(key)) throw new ControlError(`${place} is set twice`)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new ControlError(
        `${place} has a character that is not allowed in a header; received ${quote(value)}`,
      )
    seen.add(key)
  }
}

/** @throws {ControlError} if it cannot be sent */
export function assertOwnResponse({ status, headers = {}, body }: OwnResponse): void {
  assertHeaders(headers)
  if (body === undefined) return
  if (bodiless.includes(status))
    throw new ControlError(
      `effect.respond.body must be left out: a response with ${String(status)} has no body; received ${quote(body)}`,
    )
  const wrong = findNonJson(body, 'effect.respond.body')
  if (wrong !== undefined)
    throw new ControlError(`${wrong} must be JSON or a string; received ${quote(body)}`)
}

/** Adds CORS headers, like those of every API response, so that browsers can read it. */
export function toApiResponse({ status, headers = {}, body }: OwnResponse): ApiResponse {
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    status,
    headers: {
      ...(body !== undefined && { 'content-type': type }),
      ...corsHeaders,
      ...Object.fromEntries(given),
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  }
}
