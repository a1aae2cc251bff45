// The setup of a run: its options, its client, and the clean-up.
import { resolveAnswers, type Answers, type AnswersInput } from '../../contract/questions/register.ts'
import { unknownFields } from '../../contract/schema/field-names.ts'
import { quote } from '../../contract/values/quote.ts'
import { cleanUp } from './cleanup.ts'
import { Client } from './client.ts'
import { Transport } from './transport.ts'
import { Discovery } from './discovery.ts'
import { Judge } from './judge.ts'
import { Ledger } from './ledger.ts'
import { Own } from './own.ts'
import { realWait, type Wait } from './pace.ts'
import type { LeftBehind } from './report.ts'
import { Interrupted, Unreachable, type Context } from './rule.ts'
import type { Reply } from './reply.ts'
import { lastingCauseOf } from './failure.ts'
import { operations } from '../../contract/index.ts'

/** Progress of a run. */
export interface Progress {
  /** Of `total` rules, or of as many questions where a run learns. */
  readonly done: number
  readonly total: number
  /** The next step, in words. */
  readonly next: string
}

/** Options of both `verify` and `learn`. */
export interface RunOptions {
  /** Address of the deployment, ending with /v1. */
  readonly baseUrl: string
  /** Sent as `Authorization: Bearer`, to the origin of `baseUrl` alone. Missing permissions make rules inconclusive; they are not drift. */
  readonly apiKey: string
  /** Sends a request; by default that of the platform. `mock.fetch` sends it to a mock, without a server. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /**
   * Whether the deployment may be written to, in a space and in rows of the run's own, which are removed again (the
   * space stays, since the API deletes none); default false.
   */
  readonly write?: boolean | undefined
  /** Id or name of the table to write rows to; by default the one with the most types of columns that takes rows. */
  readonly table?: string | undefined
  /** What is assumed where the contract is silent, over the defaults: the `answers` of `learn`, for instance. */
  readonly answers?: AnswersInput | undefined
  /** Called before each step. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Waits for some milliseconds; by default on a timer. */
  readonly wait?: Wait | undefined
  /** Milliseconds since an arbitrary moment, as time passes for the deployment; by default those of the platform. */
  readonly nowMs?: (() => number) | undefined
  /** Interrupts the run; what it made is removed all the same. */
  readonly signal?: AbortSignal | undefined
  /** Prefix of every name and text that is written; by default made from the time, so that each run has its own. */
  readonly marker?: string | undefined
}

/** Thrown if a run cannot begin: there is no deployment of this API, or it rejects the key. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun'
}

/** Of all runs: `verify`, `learn` and `pull`. */
const optionNames =
  'apiKey baseUrl fetch write table answers only skip contractOnly maxInconclusive har onProgress wait nowMs signal marker anonymize files rows kept date'.split(
    ' ',
  )

/** @throws {CannotRun} for an unknown option, an invalid address or key, such as an environment variable that is not set */
function assertGiven(options: RunOptions): void {
  const wrong = unknownFields('options', Object.keys(options), optionNames)
  if (wrong !== undefined) throw new CannotRun(wrong)
  const { baseUrl, apiKey } = options
  if (typeof baseUrl !== 'string' || !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new CannotRun(`the base URL must begin with http:// or https://; received ${quote(baseUrl)}`)
  if (typeof apiKey !== 'string' || apiKey === '')
    throw new CannotRun(`the API key must be a string that is not empty; received ${quote(apiKey)}`)
}

export class Scene {
  readonly baseUrl: string
  readonly answers: Answers
  readonly judge: Judge
  readonly context: Context
  readonly #ledger = new Ledger()

  /** @throws {CannotRun} for an invalid address or key */
  constructor(options: RunOptions) {
    const { apiKey, write = false, table, wait = realWait, nowMs = () => performance.now(), signal } = options
    const { fetch = (request: Request) => globalThis.fetch(request) } = options
    const { marker = `verify-${Date.now().toString(36)}` } = options
    assertGiven(options)
    this.baseUrl = options.baseUrl.replace(/\/+$/, '')
    this.answers = resolveAnswers(options.answers ?? {})
    this.judge = new Judge(this.answers)
    const { judge, baseUrl, answers } = this
    const transport = new Transport({ baseUrl, apiKey, fetch, wait, signal })
    const api = new Client(transport, judge, this.#ledger)
    const seen = new Discovery(api)
    const own = new Own(api, seen, marker, table)
    const idOf = write ? own.idOf.bind(own) : undefined
    this.context = { api: api.at({}, idOf), answers, seen, own, mayWrite: write, wait, nowMs }
  }

  get api(): Client {
    return this.context.api
  }

  get requests(): number {
    return this.api.transport.requests
  }

  /**
   * Makes sure that there is a deployment of this API that takes the key. Where GET /me is not as it should be, other
   * reads decide: one wrong operation is drift.
   * @throws {CannotRun}
   */
  async assertRunnable(): Promise<void> {
    let first: string | undefined
    for (const operation of ['getIdentity', 'listSpaces', 'listDatatables'] as const) {
      const wrong = await this.#whyNot(operation)
      if (wrong === undefined) return
      first ??= wrong
    }
    throw new CannotRun(first)
  }

  /** Why the response of a read does not look like this API, in words. */
  async #whyNot(operation: 'getIdentity' | 'listSpaces' | 'listDatatables'): Promise<string | undefined> {
    const address = this.api.url(operations[operation].path)
    let reply: Reply
    try {
      reply = await this.api.call(operation)
    } catch (error) {
      if (error instanceof Interrupted || !(error instanceof Unreachable)) throw error
      const cause = lastingCauseOf(error.cause)
      if (cause !== undefined)
        throw new CannotRun(`${this.baseUrl} cannot be reached: ${cause}`, { cause: error })
      return `${this.baseUrl} cannot be reached: ${error.message}`
    }
    const { status, summary, json } = reply
    const key = { getIdentity: 'workspace', listSpaces: 'spaces', listDatatables: 'datatables' }[operation]
    if (reply.isSuccess && reply.field(key) !== undefined) return undefined
    // A refusal in the words of the API: the key lacks a permission, or the limit of the month is met.
    if ((status === 403 || status === 429) && typeof reply.field('error') === 'string') return undefined
    const got = `GET ${address} responds with ${summary}`
    if (status === 401) return `The API key is not accepted: ${got}.`
    if (status === 402) return `The API key is suspended: ${got}.`
    if (status >= 300 && status < 400) return `${got}. Use that address as the base URL.`
    if (/^\s*</.test(reply.text))
      return `${address} is a web page, not the API: it responds with HTML and status ${String(status)}.`
    if (status === 404) return `${got}: there is no such API here. The base URL must end with /v1.`
    if (json === undefined) return `${got} without JSON: this is not the API. Is the base URL right?`
    return `This is not the API: ${got}, ${quote(json)}, where {"${key}": …} is expected.`
  }

  /** Removes what was made. @returns what is left */
  async cleanUp(): Promise<LeftBehind[]> {
    return cleanUp({ api: this.api, ledger: this.#ledger, marker: this.context.own.marker })
  }
}
