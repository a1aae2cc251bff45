// Starts a run: checks its options, builds its context, and checks that there is a deployment.
import { resolveAnswers, type Answers, type AnswersInput } from '../../contract/questions/register.ts'
import { isObject } from '../../contract/data/objects.ts'
import { describeUnknownFields } from '../../contract/schema/field-names.ts'
import { quote } from '../../contract/text/quote.ts'
import { Client, type Watcher } from './client.ts'
import { Transport } from './transport.ts'
import { Interrupted, Stop } from './stop.ts'
import type { Reply } from './reply.ts'
import { lastingCauseOf } from './receive.ts'
import { operations } from '../../contract/index.ts'

/** Progress of a run. */
export interface Progress {
  /** How many of the `total` steps are done. */
  readonly done: number
  readonly total: number
  /** The next step, in words. */
  readonly next: string
}

export interface TestingOptions {
  /** Milliseconds since an arbitrary moment, in the deployment's time; by default `performance.now()`. */
  readonly nowMs?: (() => number) | undefined
  /** Prefix of every name and text written; by default derived from the time, and so unique to the run. */
  readonly marker?: string | undefined
  /** The date of learned answers, such as `2026-03-01`; by default today. */
  readonly date?: string | undefined
}

/** Options of both `verify` and `learn`. */
export interface RunOptions {
  /** Address of the deployment, ending with /v1. */
  readonly baseUrl: string
  /**
   * Sent as `Authorization: Bearer`, only to the origin of `baseUrl`. Missing permissions make rules inconclusive;
   * they are not drift.
   */
  readonly apiKey: string
  /** Sends a request; by default the platform's `fetch`. `mock.fetch` sends it to a mock without a server. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /**
   * Whether the run may write; default false. It writes in its own space and rows, and removes what it made.
   * Only the space remains, because the API cannot delete it; later runs reuse it.
   */
  readonly write?: boolean | undefined
  /**
   * Id or name of the table to write rows to; by default, of the tables that accept rows, the one with the most
   * column types.
   */
  readonly table?: string | undefined
  /** Assumed answers that override the defaults, such as the `answers` of `learn`. */
  readonly answers?: AnswersInput | undefined
  /** Called before each step. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Waits for the given milliseconds; by default with a timer. */
  readonly wait?: ((ms: number) => Promise<void>) | undefined
  /** Overrides that make a run reproducible, for tests. */
  readonly testing?: TestingOptions | undefined
  /** The same as `testing.nowMs`. */
  readonly nowMs?: (() => number) | undefined
  /** Interrupts the run and the request in flight; records it made are still removed. */
  readonly signal?: AbortSignal | undefined
  /** Maximum milliseconds to read a response, or each megabyte of a file; default 60,000. */
  readonly responseTimeoutMs?: number | undefined
  /** Maximum decompressed bytes of a response, except files; default 100,000,000. */
  readonly responseBytes?: number | undefined
  /** The same as `testing.marker`. */
  readonly marker?: string | undefined
}

export const needsWriting = 'it needs to write (in code, write: true)'

/** The context of a run's steps. */
export interface Context {
  readonly api: Client
  readonly answers: Answers
  /** Prefix of every name and text the run writes. */
  readonly marker: string
  /** Makes a text that is unique in this run. */
  readonly newText: () => string
  readonly mayWrite: boolean
  readonly wait: (ms: number) => Promise<void>
  /** Milliseconds since an arbitrary moment. */
  readonly nowMs: () => number
}

/** The name of the space that a run creates. */
export const spaceNameOf = (marker: string) => `${marker}: Räume & Søn`

/** Whether a run with a default marker created the space of this name. */
export function isNameOfRun(name: string): boolean {
  const madeMs = Number.parseInt(/^(?:! )?verify-([0-9a-z]{8})[: ]/.exec(name)?.[1] ?? '', 36)
  return madeMs > firstRunMs && madeMs < lastRunMs
}
/** From 2024 to 2059, after which a time in base 36 has more than eight digits. */
const [firstRunMs, lastRunMs] = [1_704_067_200_000, 36 ** 8]

/** Thrown if a run cannot begin: there is no deployment of this API, or it rejects the key. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun'
}

const shared =
  'apiKey baseUrl fetch answers onProgress wait nowMs marker testing signal responseTimeoutMs responseBytes'
/** The names of all options, by the function that takes them. */
const optionNames = {
  verify: `${shared} write table only skip contractOnly maxInconclusive har`,
  learn: `${shared} write table date`,
  pull: `${shared} anonymize files rows followRedirects kept har`,
}

function assertGiven(options: RunOptions, caller: keyof typeof optionNames): void {
  const testing: unknown = options.testing ?? {}
  if (!isObject(testing)) throw new CannotRun(`testing must be an object; received ${quote(testing)}`)
  const wrong =
    describeUnknownFields(`options of ${caller}`, Object.keys(options), optionNames[caller].split(' ')) ??
    describeUnknownFields('testing', Object.keys(testing), ['nowMs', 'date', 'marker'])
  if (wrong !== undefined) throw new CannotRun(wrong)
  const { baseUrl, apiKey } = options
  if (typeof baseUrl !== 'string' || !/^\s*https?:/i.test(baseUrl))
    throw new CannotRun(`the base URL must begin with http:// or https://; received ${quote(baseUrl)}`)
  const address = URL.parse(baseUrl)
  if (!address) throw new CannotRun(`the base URL is not a valid address; received ${quote(baseUrl)}`)
  if (address.username !== '' || address.password !== '')
    throw new CannotRun('the base URL must not contain a user name or password: fetch refuses them')
  if (typeof apiKey !== 'string' || apiKey === '')
    throw new CannotRun(`the API key must be a non-empty string; received ${quote(apiKey)}`)
  try {
    new Headers({ authorization: `Bearer ${apiKey}` })
  } catch {
    throw new CannotRun(
      'the API key contains a character that is not allowed in a header, such as a line break',
    )
  }
  for (const name of ['responseTimeoutMs', 'responseBytes'] as const)
    if (!((options[name] ?? 1) > 0))
      throw new CannotRun(`${name} must be a number above 0; received ${quote(options[name])}`)
}

/** @throws {CannotRun} for an unknown option, an invalid address or key */
export function createContext(
  options: RunOptions,
  caller: keyof typeof optionNames,
  watch: (answers: Answers) => Watcher,
): Context {
  assertGiven(options, caller)
  const { apiKey, write = false, signal, testing = {} } = options
  const { nowMs = options.nowMs ?? (() => performance.now()) } = testing
  const { wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)) } = options
  const { fetch = (request: Request) => globalThis.fetch(request) } = options
  const { marker = options.marker ?? `verify-${Date.now().toString(36)}` } = testing
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const answers = resolveAnswers(options.answers ?? {})
  const { responseTimeoutMs = 60_000, responseBytes = 100_000_000 } = options
  const limits = { timeoutMs: responseTimeoutMs, bytes: responseBytes }
  const api = new Client(new Transport({ baseUrl, apiKey, fetch, wait, signal, limits }), watch(answers))
  let texts = 0
  const newText = () => `${marker} ${String((texts += 1))}`
  return { api, answers, marker, newText, mayWrite: write, wait, nowMs }
}

/** Operations that show whether this is the API, with a field of their responses. */
const firstReads = { getIdentity: 'workspace', listSpaces: 'spaces', listDatatables: 'datatables' } as const
type FirstRead = keyof typeof firstReads

/**
 * If GET /me is wrong, other reads decide, because a single wrong operation is only drift.
 * @throws {CannotRun} if there is no deployment of this API, or it rejects the key
 */
export async function assertRunnable(api: Client): Promise<void> {
  let first: string | undefined
  for (const operation of Object.keys(firstReads) as FirstRead[]) {
    const wrong = await explainUnfit(api, operation)
    if (wrong === undefined) return
    first ??= wrong
  }
  throw new CannotRun(first)
}

/** Explains why the response does not come from this API; undefined if it does. */
async function explainUnfit(api: Client, operation: FirstRead): Promise<string | undefined> {
  const { baseUrl } = api.transport
  let reply: Reply
  try {
    reply = await api.call(operation)
  } catch (error) {
    if (error instanceof Interrupted || !(error instanceof Stop)) throw error
    const cause = lastingCauseOf(error.cause)
    if (cause !== undefined) throw new CannotRun(`${baseUrl} cannot be reached: ${cause}`, { cause: error })
    return `${baseUrl} cannot be reached: ${error.message}`
  }
  const { status, summary, json } = reply
  const field = firstReads[operation]
  if (reply.isSuccess && reply.field(field) !== undefined) return undefined
  // The API itself refused: the key lacks a permission, or the monthly limit is reached.
  if ((status === 403 || status === 429) && typeof reply.field('error') === 'string') return undefined
  const address = `${baseUrl}${operations[operation].path}`
  const got = `GET ${address} responds with ${summary}`
  if (status === 401) return `The API key is not accepted: ${got}.`
  if (status === 402) return `The API key is suspended: ${got}.`
  if (status >= 300 && status < 400) return `${got}. Use that address as the base URL.`
  if (/^\s*</.test(reply.text))
    return `${address} is a web page, not the API: it responds with HTML and status ${String(status)}.`
  if (status === 404) return `${got}: the API is not at this address. The base URL must end with /v1.`
  if (json === undefined) return `${got} without JSON: this is not the API. Is the base URL right?`
  return `This is not the API: ${got}, ${quote(json)}; expected {"${field}": …}.`
}
