// Owns the setting of a run: how it is asked for, the deployment it talks to, and the removal of what it makes.
import { resolveAnswers, type Answers, type AnswersInput } from '../../contract/questions/register.ts'
import { quote } from '../../contract/quote.ts'
import { cleanUp } from './cleanup.ts'
import { Client } from './client.ts'
import type { Context } from './context.ts'
import { Discovery } from './discovery.ts'
import { Judge } from './judge.ts'
import { Ledger } from './ledger.ts'
import { Own } from './own.ts'
import { realWait, type Wait } from './pace.ts'
import type { LeftBehind } from './report.ts'
import { Interrupted } from './rule.ts'

/** How far a run has come. */
export interface Progress {
  /** Of `total` rules, or of as many questions where a run learns. */
  readonly done: number
  readonly total: number
  /** What is looked at next, in words. */
  readonly next: string
}

/** What `verify` and `learn` are told alike. */
export interface RunOptions {
  /** Address of the deployment, which ends with /v1. */
  readonly baseUrl: string
  /** Sent as `Authorization: Bearer`. What it may not do is not reachable, and no drift. */
  readonly apiKey: string
  /** Sends a request; by default that of the platform. `mock.fetch` asks a mock without any server. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /**
   * Whether the deployment may be written to, in a space and in rows of the run's own, which are removed again (the
   * space stays, since the API deletes none); default false.
   */
  readonly write?: boolean | undefined
  /** Id or name of the table to write rows to; by default the one with the most types of columns that takes rows. */
  readonly table?: string | undefined
  /** What is assumed where the contract is silent, over the defaults: `answers` of what `learn` gave, for one. */
  readonly answers?: AnswersInput | undefined
  /** Told before each step. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Lets milliseconds pass; by default on a timer. */
  readonly wait?: Wait | undefined
  /** Milliseconds from any moment on, as they pass for the deployment; by default those of the platform. */
  readonly nowMs?: (() => number) | undefined
  /** Calls the run off; what it made is removed all the same. */
  readonly signal?: AbortSignal | undefined
  /** Begins every name and text that is written; by default made from the time, so that each run has its own. */
  readonly marker?: string | undefined
}

/** Thrown where a run cannot begin: no deployment there, or none that takes the key. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun'
}

/** @throws {CannotRun} for an address or a key that is none, as where a variable of the environment is not set */
function assertGiven({ baseUrl, apiKey }: RunOptions): void {
  if (typeof baseUrl !== 'string' || !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new CannotRun(`the base address must be one of http or https; received ${quote(baseUrl)}`)
  if (typeof apiKey !== 'string' || apiKey === '')
    throw new CannotRun(`the API key must be a text that is not empty; received ${quote(apiKey)}`)
}

export class Scene {
  readonly baseUrl: string
  readonly answers: Answers
  readonly judge: Judge
  readonly context: Context
  readonly #ledger = new Ledger()
  readonly #api: Client

  /** @throws {CannotRun} for an address or a key that is none */
  constructor(options: RunOptions) {
    const { apiKey, write = false, table, wait = realWait, nowMs = () => performance.now(), signal } = options
    const { fetch = (request: Request) => globalThis.fetch(request) } = options
    const { marker = `verify-${Date.now().toString(36)}` } = options
    assertGiven(options)
    this.baseUrl = options.baseUrl.replace(/\/+$/, '')
    this.answers = resolveAnswers(options.answers ?? {})
    this.judge = new Judge(this.answers)
    const { judge, baseUrl, answers } = this
    const api = new Client({ baseUrl, apiKey, fetch, wait, signal, judge, ledger: this.#ledger })
    this.#api = api
    const seen = new Discovery(api)
    const own = new Own(api, seen, marker, table)
    this.context = { api, answers, seen, own, mayWrite: write, wait, nowMs }
  }

  get requests(): number {
    return this.#api.requests
  }

  /**
   * Makes sure that there is a deployment that takes the key.
   * @throws {CannotRun}
   */
  async assertRunnable(): Promise<void> {
    const { baseUrl } = this
    try {
      const reply = await this.#api.call('getIdentity')
      if (reply.json === undefined)
        throw new CannotRun(
          `GET ${baseUrl}/me is answered with no JSON (status ${String(reply.status)}); the address may be wrong`,
        )
      if ([401, 402].includes(reply.status) || reply.status >= 404)
        throw new CannotRun(`GET ${baseUrl}/me is answered with ${reply.summary}`)
    } catch (error) {
      if (error instanceof CannotRun || error instanceof Interrupted) throw error
      throw new CannotRun(
        `${baseUrl} cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      )
    }
  }

  /** Removes what was made. @returns what is left */
  async cleanUp(): Promise<LeftBehind[]> {
    return cleanUp({ api: this.#api, ledger: this.#ledger, marker: this.context.own.marker })
  }
}
