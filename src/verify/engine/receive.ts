// One exchange with a bound on its time and size: reads a response as it arrives, and gives it up where it does not end.
import { formatCount } from '../../contract/text/format.ts'

/** What a response can take; a file takes as long as it brings a megabyte within the time. */
export interface ResponseLimits {
  readonly timeoutMs: number
  readonly bytes: number
  readonly isFile?: boolean
}

/** Thrown where a response exceeds a limit: the next one would as well. */
export class ResponseLimitError extends Error {
  override readonly name = 'ResponseLimitError'
}

/** Rejects with the reason of the signal as soon as it is aborted. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

const megabyte = 1_000_000
/** The longest time of a timer: a longer one would end at once. */
const longestTimerMs = 2 ** 31 - 1
/** How long a write in flight can still take after an interruption: its response says what there is to remove. */
const graceMs = 5000

export interface Received {
  readonly response: Response
  readonly bytes: Uint8Array
}

/**
 * Sends a request and reads its whole response.
 * @param send gets a signal that is aborted where a limit is exceeded or the run is interrupted
 * @throws {ResponseLimitError} for a response that is too slow or too large
 */
export async function receive(
  send: (signal: AbortSignal) => Promise<Response>,
  { timeoutMs, bytes: mostBytes, isFile = false }: ResponseLimits,
  interruption: AbortSignal | undefined,
  isWrite: boolean,
): Promise<Received> {
  const controller = new AbortController()
  const { signal } = controller
  const within = isFile ? 'for a megabyte of a file' : 'to be read'
  const expire = () =>
    controller.abort(
      new ResponseLimitError(`the response took more than ${formatCount(timeoutMs)} ms ${within}`),
    )
  const start = () => setTimeout(expire, Math.min(timeoutMs, longestTimerMs))
  let timer = start()
  let grace: ReturnType<typeof setTimeout> | undefined
  const interrupt = () => {
    const stop = () => controller.abort(interruption?.reason)
    if (isWrite) grace = setTimeout(stop, graceMs)
    else stop()
  }
  interruption?.addEventListener('abort', interrupt, { once: true })
  const onPart = (before: number, size: number) => {
    if (size > mostBytes)
      throw new ResponseLimitError(`the response has more than ${formatCount(mostBytes)} bytes`)
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

/** The bytes of a body, of which nothing is read on after an error. */
async function readBytes(
  { body }: Response,
  signal: AbortSignal,
  onPart: (before: number, size: number) => void,
): Promise<Uint8Array> {
  let size = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      onPart(size, (size += part.length))
      controller.enqueue(part)
    },
  })
  const read = new Response(body?.pipeThrough(counting, { signal }) ?? null)
  return new Uint8Array(await read.arrayBuffer())
}
