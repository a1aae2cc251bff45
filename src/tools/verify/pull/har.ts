// The calls of a recording (HAR: devtools, Playwright, a proxy, a mock) that succeeded, with what their responses hold.
import * as z from 'zod/mini'
import { fromBase64 } from '../../../contract/data/base64.ts'
import { getOrInsert } from '../../../contract/data/maps.ts'
import { compareText } from '../../../contract/text/format.ts'
import { findOperation } from '../../../mock/requests/route.ts'
import { KeyRedaction } from '../engine/reply.ts'
import { CannotRun } from '../engine/start.ts'
import { describeExpected } from './listings.ts'
import { toNote, type Note } from './notes.ts'

const NullishText = z.nullish(z.string())
const HarEntry = z.object({
  startedDateTime: NullishText,
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
  }),
  response: z.optional(
    z.object({
      status: z.optional(z.unknown()),
      content: z.optional(z.object({ text: NullishText, encoding: NullishText })),
    }),
  ),
})
type HarEntry = z.infer<typeof HarEntry>
const Har = z.object({ log: z.object({ entries: z.array(z.unknown()) }) })

const attempt = <T>(make: () => T): T | undefined => {
  try {
    return make()
  } catch {
    return undefined
  }
}

/** A base address can end after any `/v1` of the path. */
function callsOf(entry: HarEntry) {
  const { method, url } = entry.request
  const address = URL.parse(url)
  if (!address) return []
  const { origin, pathname, searchParams: query } = address
  return [...pathname.matchAll(/\/v1(?=\/)/g)].flatMap(({ index }) => {
    const route = findOperation(method, pathname.slice(index + 3))
    const ids = route && attempt(() => Object.values(route.params).map(decodeURIComponent))
    const base = origin + pathname.slice(0, index + 3)
    return ids ? [{ operation: route.operation.id, ids, base, query, entry }] : []
  })
}

/** The content of a response, without the key; undefined where it was not recorded whole. */
function readCall({ entry, ...call }: ReturnType<typeof callsOf>[number], redaction: KeyRedaction) {
  const { text, encoding } = entry.response?.content ?? {}
  if (typeof text !== 'string') return undefined
  const content = attempt(() => (encoding === 'base64' ? fromBase64(text) : new TextEncoder().encode(text)))
  const bytes = content && redaction.bytes(content)
  const body = bytes && attempt(() => redaction.json(JSON.parse(new TextDecoder().decode(bytes))))
  const isRead =
    call.operation === 'downloadTaskAttachment' || describeExpected(call.operation, body) === undefined
  return bytes && isRead ? { ...call, bytes, body } : undefined
}
export type RecordedCall = NonNullable<ReturnType<typeof readCall>>

function findKey(entries: readonly HarEntry[]): string | undefined {
  const headers = entries.flatMap(({ request }) => request.headers ?? [])
  const keys = headers.flatMap(({ name, value }) =>
    name.toLowerCase() === 'authorization' ? (/^Bearer ([!-~]+)$/i.exec(value)?.[1] ?? []) : [],
  )
  return keys[0]
}

/** The successful calls in the order of their start. @param baseUrl by default the one with the most requests @throws {CannotRun} */
export function readHar(har: unknown, baseUrl?: string) {
  const read = Har.safeParse(har)
  if (!read.success) throw new CannotRun('the recording is not in the format HAR, {"log": {"entries": […]}}')
  const entries = read.data.log.entries.flatMap((entry) => HarEntry.safeParse(entry).data ?? [])
  const byBase = new Map<string, ReturnType<typeof callsOf>>()
  for (const call of entries.flatMap(callsOf)) getOrInsert(byBase, call.base, () => []).push(call)
  const [most] = [...byBase].sort(([, a], [, b]) => b.length - a.length)
  const base = baseUrl?.replace(/\/+$/, '') ?? most?.[0]
  const own = byBase.get(base ?? '')
  if (base === undefined || !own)
    throw new CannotRun(
      `the recording has no request to ${base ?? 'an address of this API, which has /v1 in its path'}`,
    )
  const startOf = ({ entry }: (typeof own)[number]) => entry.startedDateTime ?? ''
  const successes = own
    .filter(({ entry }) => /^2\d\d$/.test(String(entry.response?.status)))
    .sort((a, b) => compareText(startOf(a), startOf(b)))
  const redaction = new KeyRedaction(findKey(entries) ?? '')
  const calls = successes.flatMap((call) => readCall(call, redaction) ?? [])
  const notes: Note[] = []
  const others = [...byBase.keys()].filter((other) => other !== base).join(', ')
  if (others !== '')
    notes.push(toNote`Requests to ${others} were left out: the workspace is that of ${base}.`)
  const cut = successes.length - calls.length
  if (cut > 0) notes.push(toNote`${cut} responses were recorded without their whole bodies.`)
  return { base, calls, notes }
}
