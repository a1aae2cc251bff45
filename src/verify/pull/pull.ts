// A live workspace or a recording of one, read one request at a time, as a fixture.
import type { Identity } from '../../contract/identity.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { Member } from '../../contract/schema/common.ts'
import { resolveAnswers, type AnswersInput } from '../../contract/questions/register.ts'
import type { Fixture, FixtureWorkspace } from '../../../fixtures/types.ts'
import { assertRunnable, contextOf, type RunOptions } from '../engine/start.ts'
import { Interrupted } from '../engine/drift.ts'
import type { Client } from '../engine/client.ts'
import type { Context } from '../engine/rule.ts'
import { anonymize } from './anonymize.ts'
import { pulledForms } from './forms.ts'
import { Gathered, type PullBounds } from './gathered.ts'
import { pulledSpaces } from './lists.ts'
import { makeLoadable } from './loadable.ts'
import { fixed, Losses, type Missing, type Note } from './losses.ts'
import { PullStopped, Reader, recordsIn } from './reader.ts'
import { Recording } from './recording.ts'
import type { KeptReads, Source } from './source.ts'
import { pulledTables } from './tables.ts'

/** Options of every pull. */
interface PullSettings extends Omit<
  RunOptions,
  'baseUrl' | 'apiKey' | 'write' | 'table' | 'marker' | 'nowMs'
> {
  /** Replaces ids and every free text consistently; default false. */
  readonly anonymize?: boolean | undefined
  /** Downloads the files of tasks, which otherwise hold zero bytes; default false. */
  readonly files?: boolean | undefined
  /** Whether downloads that are redirected to another origin are followed there, without the key; default false. */
  readonly followRedirects?: boolean | undefined
  /** The most rows that are read of a table, the first ones; default all. */
  readonly rows?: number | undefined
  /** Where response bodies are kept: what it holds is not requested again, so that an interrupted pull can resume. */
  readonly kept?: KeptReads | undefined
}

interface LivePull extends Pick<RunOptions, 'baseUrl' | 'apiKey'> {
  readonly har?: undefined
}
interface RecordedPull {
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  /** A recording of requests in the format HAR, to read instead of a deployment; by default under its most frequent base URL. */
  readonly har: object
}

/** A deployment or a recording, and how it is read. */
export type PullOptions = PullSettings & (LivePull | RecordedPull)

/** What a pull read: plain JSON. */
export interface Pulled {
  /** What `createWorkspaceMock` takes; its key is `wm_pulled_master`. */
  readonly fixture: Fixture
  /** Observed and given answers that differ from the default ones: for a mock that responds as the deployment does. */
  readonly answers: AnswersInput
  /** What was asked for and is not in the fixture; empty where all of it is. */
  readonly missing: readonly Missing[]
  /** What the fixture lacks or assumes, in sentences, those of `missing` included. */
  readonly unseen: readonly string[]
  readonly requests: number
}

const alwaysUnseen = [
  'Live keys and their scopes: the fixture has one master key, wm_pulled_master.',
  'Private spaces and lists, deleted tasks, jobs, locks of tables, the time zone and limits of the workspace.',
].map(fixed)

const unseenPriorities = fixed(
  'Which integer stands for which priority: reading cannot show it, so question taskPriority is taken as by default; `verify --write --learn` observes it.',
)

async function workspaceOf(
  gathered: Gathered,
): Promise<FixtureWorkspace & { readonly order: readonly string[] }> {
  const identity = await gathered.reader.get('getIdentity')
  gathered.members(recordsIn<Member>(identity, 'members'))
  const workspace = isObject(identity?.workspace)
    ? (identity.workspace as Partial<Identity['workspace']>)
    : undefined
  const tables = await pulledTables(gathered)
  const { spaces, order } = await pulledSpaces(gathered)
  const forms = await pulledForms(gathered)
  // A key needs a member to act as.
  if (gathered.people.length === 0) gathered.person('member_pulled', 'Nobody')
  const key = { key: 'wm_pulled_master', name: 'master', kind: 'master' } as const
  const members = gathered.people
  const { id = 'workspace_pulled', name = 'Pulled workspace', plan = 'pro' } = workspace ?? {}
  return { id, name, plan, members, keys: [key], tables, spaces, forms, order }
}

/** How a workspace is read. */
interface ReadOptions extends PullBounds, Pick<PullOptions, 'files' | 'kept' | 'onProgress'> {
  /** Answers that are known. */
  readonly given?: AnswersInput | undefined
}

/** A workspace as it was read; `notes` say what the fixture assumes though nothing failed. */
interface ReadWorkspace {
  readonly fixture: Fixture
  readonly answers: AnswersInput
  readonly losses: Losses
  readonly notes: readonly Note[]
}

/**
 * Reads a workspace, bounded and leniently: what does not fit the contract or does not load is left out and in `losses`.
 * @throws {Interrupted} where it was interrupted or the key is not accepted any more
 * @throws {PullStopped} where the deployment stopped responding
 */
export async function readWorkspace(
  source: Source,
  { answers }: Pick<Context, 'answers'>,
  { files = false, kept = new Map<string, unknown>(), onProgress, given = {}, ...bounds }: ReadOptions,
): Promise<ReadWorkspace> {
  const losses = new Losses()
  const reader = new Reader(source, losses, kept, onProgress)
  const gathered = new Gathered(reader, losses, answers, files, bounds)
  reader.plan(5)
  const { order, ...workspace } = await workspaceOf(gathered)
  const made = {
    name: 'pulled',
    clock: gathered.clock,
    workspaces: [workspace],
    runtime: { lists: order },
  }
  const needed = gathered.observed(given)
  const fixture = makeLoadable(made, gathered.files, needed, losses)
  const assumed = given.taskPriority === undefined ? [unseenPriorities] : []
  return { fixture, answers: needed, losses, notes: [...alwaysUnseen, ...assumed, ...gathered.notes] }
}

/** Redirects of a download that are followed. */
const mostRedirects = 5

/** Reads a deployment through a client, which sends the key to its own origin alone. */
export function liveSource(api: Client, followRedirects = false): Source {
  const { transport } = api
  return {
    isRecorded: false,
    read: async (operation, params, query) => {
      // The evidence is not used, and bodies are large.
      transport.trace = []
      return api.call(operation, { params, query })
    },
    async download(params, bytes) {
      const limits = { ...transport.limits, bytes, isFile: true }
      let reply = await api.call('downloadTaskAttachment', { params, limits })
      let from = transport.baseUrl
      for (let hop = 0; hop < mostRedirects && reply.isRedirect; hop += 1) {
        const to = URL.parse(reply.headers.get('location') ?? '', from)
        if (!to || (transport.isForeign(to.href) && !followRedirects)) break
        reply = await transport.send('GET', (from = to.href), { limits })
      }
      return reply
    },
  }
}

/** What options name to read from. @throws {CannotRun} */
async function openSource(options: PullOptions) {
  if (options.har !== undefined) {
    const recording = new Recording(options.har, options.baseUrl)
    const answers = resolveAnswers(options.answers ?? {})
    // What is invented must not follow from anything that can be guessed.
    const seed = options.apiKey ?? JSON.stringify(options.har).slice(0, 10_000)
    return { source: recording, answers, seed, requests: () => 0, notes: recording.notes }
  }
  const { api, answers } = contextOf(options)
  await assertRunnable(api)
  const source = liveSource(api, options.followRedirects)
  return { source, answers, seed: options.apiKey, requests: () => api.transport.requests, notes: [] }
}

async function pulled(options: PullOptions): Promise<Pulled> {
  const { anonymize: isAnonymous = false, files, rows, kept, onProgress, answers: given } = options
  const { source, seed, requests, ...opened } = await openSource(options)
  const readOptions = { files, rows, kept, onProgress, given }
  const read = await readWorkspace(source, opened, readOptions)
  const { losses, notes } = read
  const { fixture, answers } = isAnonymous ? anonymize(read, seed) : read
  const missing = losses.list(isAnonymous)
  return {
    fixture,
    answers,
    missing,
    unseen: [
      ...[...notes, ...opened.notes].map(({ text, anonymous }) => (isAnonymous ? anonymous : text)),
      ...missing.map(({ text }) => `${text}.`),
    ],
    requests: requests(),
  }
}

/**
 * Reads a workspace through the API, with a key that may only read, as a fixture: one request at a time, Retry-After
 * honoured. A mock of the fixture, with the answers, responds to every read as the deployment did, but for `unseen`.
 * @throws {CannotRun} where there is no deployment of this API, or it does not take the key
 * @throws {PullStopped} where it was interrupted or the deployment stopped responding; what was read is in `kept`
 * @throws {AnswerError} of the main entry, for invalid `answers`
 */
export async function pull(options: PullOptions): Promise<Pulled> {
  try {
    return await pulled(options)
  } catch (error) {
    if (error instanceof Interrupted) throw new PullStopped(error.message, { cause: error })
    throw error
  }
}
