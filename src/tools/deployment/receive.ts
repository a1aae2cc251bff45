// Sends one request and reads its response within time and size limits. Explains why there was no response.
import { isObject } from '../../contract/data/objects.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { formatCount } from '../../contract/text/format.ts'
import { Stop } from './stop.ts'

/** Limits of a response. For a file, the timeout applies to each megabyte. */
export interface ResponseLimits {
  readonly timeoutMs: number
  readonly bytes: number
  readonly isFile?: boolean
}

export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

const megabyte = 1_000_000
/** A timer with a longer delay would fire at once. */
const longestTimerMs = 2 ** 31 - 1
/** After an interruption, a write in flight has this long to finish: its response names the records to remove. */
const graceMs = 5000

export interface Received {
  readonly response: Response
  readonly bytes: Uint8Array
}

/** @throws {Stop} for a response that is too slow or too large */
export async function receive(
  send: (signal: AbortSignal) => Promise<Response>,
  { timeoutMs, bytes: mostBytes, isFile = false }: ResponseLimits,
  interruption: AbortSignal | undefined,
  isWrite: boolean,
): Promise<Received> {
  const controller = new AbortController()
  const { signal } = controller
  const tooSlow = `the response took more than ${formatCount(timeoutMs)} ms ${isFile ? 'for one megabyte of a file' : 'to read'}`
  const expire = () => controller.abort(new Stop(tooSlow, 'unreadable'))
  const start = () => setTimeout(expire, Math.min(timeoutMs, longestTimerMs))
  let timer = start()
  let grace: ReturnType<typeof setTimeout> | undefined
  const stop = () => controller.abort(interruption?.reason)
  const interrupt = () => {
    if (isWrite) grace = setTimeout(stop, graceMs)
    else stop()
  }
  interruption?.addEventListener('abort', interrupt, { once: true })
  const onPart = (before: number, size: number) => {
    if (size > mostBytes)
      throw new Stop(`the response has more than ${formatCount(mostBytes)} bytes`, 'unreadable')
    if (!isFile || Math.floor(before / megabyte) === Math.floor(size / megabyte)) return
    clearTimeout(timer)
    timer = start()
  }
  try {
    const response = await untilAborted(signal, send(signal))
    return { response, bytes: await readBytes(response, signal, onPart) }
  } finally {
    clearTimeout(timer)
    clearTimeout(grace)
    interruption?.removeEventListener('abort', interrupt)
  }
}

async function readBytes(
  { body }: Response,
  signal: AbortSignal,
  onPart: (before: number, size: number) => void,
): Promise<Uint8Array> {
  if (!body) return new Uint8Array()
  const reader = body.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  try {
    for (;;) {
      const { done, value } = await untilAborted(signal, reader.read())
      if (done) break
      onPart(size, (size += value.length))
      parts.push(value)
    }
  } catch (error) {
    reader.cancel(error).catch(() => undefined)
    throw error
  }
  const [only] = parts
  if (parts.length === 1 && only) return only
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

const stringOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '')

/** Finds the innermost error, because `fetch failed` hides the reason in its cause. */
function innermostOf(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message, cause, errors } = Object(error) as JsonObject
  const inner = cause ?? (Array.isArray(errors) ? (errors as unknown[])[0] : undefined)
  return isObject(inner) ? innermostOf(inner) : { code: stringOrEmpty(code), message: stringOrEmpty(message) }
}

const certificates =
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_MISMATCH/

/** Describes a cause that retries cannot fix; undefined for a temporary cause. */
export function lastingCauseOf(error: unknown): string | undefined {
  const { code: name, message } = innermostOf(error)
  if (/ERR_SSL|EPROTO/.test(name))
    return `it does not speak TLS as expected (${name}); should the address begin with http instead of https?`
  if (certificates.test(name))
    return `its certificate is not trusted (${message || name}); --insecure (or NODE_TLS_REJECT_UNAUTHORIZED=0) accepts it, NODE_EXTRA_CA_CERTS=FILE adds an authority`
  if (name === 'ECONNREFUSED') return 'the connection was refused (ECONNREFUSED); nothing is listening there'
  if (message === 'bad port')
    return 'fetch blocks its port, which is reserved for another protocol (bad port)'
  if (name === 'ENOTFOUND') return 'the host name cannot be resolved (ENOTFOUND)'
  return undefined
}

export function causeOf(error: unknown): string {
  const { code, message } = innermostOf(error)
  return lastingCauseOf(error) ?? ([message, code].filter((part) => part !== '').join(', ') || String(error))
}
