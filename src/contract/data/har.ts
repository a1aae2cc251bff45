// HTTP Archive 1.2 (HAR), which browsers' developer tools open.
import { reasonPhraseOf } from './reason-phrases.ts'

type Pairs = Iterable<readonly [name: string, value: string]>

/** What is known about a request and its response, in HAR's terms. */
export interface HarExchange {
  readonly comment?: string
  readonly startedDateTime: string
  /** How long the response took; 0 if not recorded. */
  readonly waitMs?: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Pairs
    readonly postData?: {
      readonly mimeType: string
      readonly text?: string
      readonly params?: readonly object[]
      readonly comment?: string
    }
    readonly bodySize: number
  }
  readonly response: {
    readonly status: number
    readonly statusText?: string
    readonly headers: Pairs
    readonly content: {
      readonly size: number
      readonly mimeType: string
      readonly text: string
      readonly encoding?: 'base64'
      readonly comment?: string
    }
    readonly redirectURL?: string
  }
}

const pairsOf = (pairs: Pairs) => [...pairs].map(([name, value]) => ({ name, value }))

const fillUnrecorded = () => ({ httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 })

const toHarEntry = ({ request, response, waitMs = 0, ...exchange }: HarExchange) => ({
  ...exchange,
  time: waitMs,
  request: {
    ...fillUnrecorded(),
    ...request,
    headers: pairsOf(request.headers),
    queryString: pairsOf(new URL(request.url).searchParams),
  },
  response: {
    ...fillUnrecorded(),
    // Status 0 means that the connection broke.
    statusText: response.status === 0 ? '' : reasonPhraseOf(response.status),
    redirectURL: '',
    ...response,
    headers: pairsOf(response.headers),
    bodySize: response.content.size,
  },
  cache: {},
  timings: { send: 0, wait: waitMs, receive: 0 },
})

export type Har = ReturnType<typeof toHar>

export const toHar = (creator: string, exchanges: readonly HarExchange[]) => ({
  log: {
    version: '1.2' as const,
    creator: { name: creator, version: '1' },
    entries: exchanges.map(toHarEntry),
  },
})
