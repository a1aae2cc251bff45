// Writes requests byte by byte, with lengths that lie and chunks that break, and reads the responses.
import { connect } from 'node:net'
import fc from 'fast-check'
import type { HostileRequest } from './request.ts'
import type { ReceivedResponse } from './verdict.ts'

/** How a request is sent over the wire. */
export interface Framing {
  readonly body:
    'length' | 'none' | 'too-long' | 'too-short' | 'twice' | 'negative' | 'words' | 'both' | Chunks
  readonly version: string
  readonly host: string | null
  readonly lineEnd: string
  /** Sent unchanged between the other headers. */
  readonly extra: string
  /** Where to split the bytes into writes. */
  readonly cutAt: number
}
type Chunks = 'chunked' | 'chunked-bad-size' | 'chunked-no-end' | 'chunked-huge' | 'chunked-trailers'

export const framing: fc.Arbitrary<Framing> = fc.record({
  body: fc.oneof(
    { weight: 4, arbitrary: fc.constant('length' as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom<Framing['body']>('chunked', 'chunked-trailers', 'none', 'too-short'),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom<Framing['body']>(
        ...(['too-long', 'twice', 'negative', 'words', 'both'] as const),
        ...(['chunked-bad-size', 'chunked-no-end', 'chunked-huge'] as const),
      ),
    },
  ),
  version: fc.oneof(
    { weight: 12, arbitrary: fc.constant('HTTP/1.1') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTTPS/1.1', ''),
    },
  ),
  host: fc.oneof(
    { weight: 8, arbitrary: fc.constant('localhost') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        null,
        '',
        'a b',
        '__proto__',
        '[::1',
        'x'.repeat(300),
        'évil',
        '1.2.3.4:99999',
      ),
    },
  ),
  lineEnd: fc.oneof(
    { weight: 12, arbitrary: fc.constant('\r\n') },
    { weight: 1, arbitrary: fc.constantFrom('\n', '\r') },
  ),
  extra: fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'no colon here',
        ': no name',
        'space before : x',
        ' folded',
        `x: ${'y'.repeat(20_000)}`,
        'x: \u0000',
        'x: é\u00ff',
        'transfer-encoding: gzip',
        'transfer-encoding: chunked, identity',
        'expect: 100-continue',
        'upgrade: websocket\r\nconnection: upgrade',
        'connection: close',
        Array.from({ length: 300 }, (_, index) => `x-${String(index)}: y`).join('\r\n'),
      ),
    },
  ),
  cutAt: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 400 }) },
  ),
})

const chunk = (bytes: Buffer, size = bytes.length.toString(16)) =>
  Buffer.concat([Buffer.from(`${size}\r\n`), bytes, Buffer.from('\r\n')])
const lastChunk = Buffer.from('0\r\n\r\n')

/** Headers about the body, and the body that follows. */
function framed(
  body: Framing['body'],
  bytes: Buffer,
): { readonly headers: string[]; readonly payload: Buffer } {
  const length = (value: number | string) => [`content-length: ${String(value)}`]
  const chunked = ['transfer-encoding: chunked']
  const half = Math.ceil(bytes.length / 2)
  const halves =
    bytes.length > 0
      ? [bytes.subarray(0, half), bytes.subarray(half)].filter(({ length: size }) => size > 0)
      : []
  const whole = halves.map((part) => chunk(part))
  switch (body) {
    case 'length':
      return { headers: length(bytes.length), payload: bytes }
    case 'none':
      return { headers: [], payload: Buffer.alloc(0) }
    case 'too-long':
      return { headers: length(bytes.length + 7), payload: bytes }
    case 'too-short':
      return { headers: length(Math.max(0, bytes.length - 3)), payload: bytes }
    case 'twice':
      return { headers: [...length(bytes.length), ...length(bytes.length + 1)], payload: bytes }
    case 'negative':
      return { headers: length(-1), payload: bytes }
    case 'words':
      return { headers: length('many'), payload: bytes }
    case 'both':
      return { headers: [...length(bytes.length), ...chunked], payload: Buffer.concat([...whole, lastChunk]) }
    case 'chunked':
      return { headers: chunked, payload: Buffer.concat([...whole, lastChunk]) }
    case 'chunked-bad-size':
      return { headers: chunked, payload: Buffer.concat([chunk(bytes, 'zz'), lastChunk]) }
    case 'chunked-no-end':
      return { headers: chunked, payload: Buffer.concat(whole) }
    case 'chunked-huge':
      return { headers: chunked, payload: chunk(bytes, 'ffffffffffffffff') }
    case 'chunked-trailers':
      return {
        headers: chunked,
        payload: Buffer.concat([...whole, Buffer.from('0\r\nx: y\r\n__proto__: z\r\n\r\n')]),
      }
  }
}

/** Whether a body is announced but never arrives completely, so that no response can be expected. */
export const neverEnds = ({ body }: Framing) =>
  body === 'too-long' || body === 'chunked-no-end' || body === 'chunked-huge'

export function bytesOf(request: HostileRequest, how: Framing): Buffer {
  const { method, path, query, authorization, body, headers } = request
  const { headers: bodyHeaders, payload } = framed(how.body, Buffer.from(body?.bytes ?? new Uint8Array()))
  const lines = [
    `${method} /v1${path}${query === '' ? '' : `?${query}`}${how.version === '' ? '' : ` ${how.version}`}`,
    ...(how.host === null ? [] : [`host: ${how.host}`]),
    ...(authorization === null ? [] : [`authorization: ${authorization}`]),
    ...(body?.contentType == null ? [] : [`content-type: ${body.contentType}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(how.extra === '' ? [] : [how.extra]),
    ...bodyHeaders,
  ]
  return Buffer.concat([Buffer.from(lines.join(how.lineEnd) + how.lineEnd + how.lineEnd, 'latin1'), payload])
}

const quietMs = 15
const longestMs = 8000

/**
 * Sends bytes over their own connection, and closes its sending half: immediately, or after a response once nothing has
 * followed it for a moment.
 * @returns everything received until the server closed
 */
export function exchange(
  port: number,
  bytes: Buffer,
  cutAt: number,
  awaitsResponse: boolean,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const received: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const giveUp = setTimeout(() => {
      socket.destroy()
      reject(new Error(`the server neither answered nor closed: ${bytes.toString('latin1').slice(0, 500)}`))
    }, longestMs)
    let quiet: NodeJS.Timeout | undefined
    socket.on('data', (data) => {
      received.push(data)
      clearTimeout(quiet)
      quiet = setTimeout(() => socket.end(), quietMs)
    })
    // A server that refuses early resets the connection while data is still being sent.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(giveUp)
      clearTimeout(quiet)
      resolve(Buffer.concat(received))
    })
    socket.on('end', () => socket.end())
    socket.setNoDelay(true)
    if (cutAt > 0) socket.write(bytes.subarray(0, cutAt))
    if (awaitsResponse) socket.write(bytes.subarray(cutAt))
    else socket.end(bytes.subarray(cutAt))
  })
}

/** The responses in the received bytes. Responses to HEAD have no body, whatever their headers say. */
export function responsesIn(
  received: Buffer,
  method: string,
): (ReceivedResponse & { readonly method: string })[] {
  const responses: (ReceivedResponse & { readonly method: string })[] = []
  for (let rest = received, of = method; rest.length > 0; of = 'any') {
    const end = rest.indexOf('\r\n\r\n')
    const head = rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head[0] ?? '')?.[1])
    if (end === -1 || !Number.isInteger(status))
      throw new Error(`no response: ${rest.toString('latin1').slice(0, 300)}`)
    const headers = new Map(
      head.slice(1).map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    rest = rest.subarray(end + 4)
    if (status === 100) continue
    // A request that the parser gave up on no longer counts as HEAD; it is refused with a body, and the connection is
    // closed.
    const length = of === 'HEAD' && status !== 400 ? 0 : Number(headers.get('content-length') ?? 0)
    const text = rest.subarray(0, length).toString()
    rest = rest.subarray(length)
    responses.push({ status, header: (name) => headers.get(name) ?? null, text, method: of })
  }
  return responses
}
