// Turns a live workspace, or a recording of one, into a fixture.
import type { Identity } from '../../contract/identity.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { Member } from '../../contract/schema/common.ts'
import { AnswerError, type Answers, type AnswersInput } from '../../contract/questions/register.ts'
import { FixtureError } from '../../service/fixture/error.ts'
import type { Fixture } from '../../../fixtures/types.ts'
import { assertRunnable, CannotRun, createContext, type RunOptions } from '../deployment/start.ts'
import { unwatched, type Client } from '../deployment/client.ts'
import { Interrupted } from '../deployment/stop.ts'
import { anonymize } from './anonymize.ts'
import { Bag, type PullBounds } from './bag.ts'
import { toForms } from './forms.ts'
import { Gathered } from './gathered.ts'
import { readHar, type Recording } from './har.ts'
import { makeLoadable } from './lenient.ts'
import { findRecords, isId } from './listings.ts'
import { toSpaces } from './lists.ts'
import { Notes, toPlainNote, type Missing } from './notes.ts'
import { Reader, type KeptReads, type ReaderOptions } from './reader.ts'
import { readRecording } from './recording.ts'
import { toTables } from './tables.ts'

/** Options of every pull. */
interface PullSettings extends Omit<
  RunOptions,
  'baseUrl' | 'apiKey' | 'write' | 'table' | 'marker' | 'nowMs'
> {
  /** Replaces ids and all free text consistently; default false. */
  readonly anonymize?: boolean | undefined
  /** Downloads task files, which are otherwise filled with zero bytes; default false. */
  readonly files?: boolean | undefined
  /** Follows downloads that redirect to another origin, without the key; default false. */
  readonly followRedirects?: boolean | undefined
  /** Maximum number of rows per table, from the first; default all. */
  readonly rows?: number | undefined
  /** Stores response bodies. Stored responses are not requested again, so an interrupted pull can resume. */
  readonly kept?: KeptReads | undefined
}

interface LivePull extends Pick<RunOptions, 'baseUrl' | 'apiKey'> {
  readonly har?: undefined
}
interface RecordedPull {
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  /** A HAR recording to read instead of a deployment. `baseUrl` defaults to the one with the most requests. */
  readonly har: object
}

/** A deployment or a recording, and how to read it. */
export type PullOptions = PullSettings & (LivePull | RecordedPull)

/** The result of a pull: plain JSON. */
export interface Pulled {
  /** For `createWorkspaceMock`; its key is `wm_pulled_master`. */
  readonly fixture: Fixture
  /** Observed and given answers that differ from the defaults, so that a mock responds as the deployment does. */
  readonly answers: AnswersInput
  /** What was requested but is not in the fixture; empty if nothing is missing. */
  readonly missing: readonly Missing[]
  /** What the fixture lacks or assumes, in sentences, including the texts of `missing`. */
  readonly unseen: readonly string[]
  readonly requests: number
}

/** Thrown when a pull ends early or its responses make no fixture. The responses so far are in `kept`. */
export class PullStopped extends Error {
  override readonly name = 'PullStopped'
}

const alwaysUnseen = [
  'Live keys and their scopes: the fixture has one master key, wm_pulled_master.',
  'Private spaces and lists, deleted tasks, jobs, table locks, the time zone and limits of the workspace.',
]
const unseenPriorities =
  'Which integer stands for which priority: reads cannot show it, so taskPriority keeps its default answer; `verify --write --learn` observes it.'

interface ReadOptions extends PullBounds, ReaderOptions {
  readonly given?: AnswersInput | undefined
}

/**
 * Reads a workspace into a fixture. Removes and notes what does not fit the contract or does not load.
 * @throws {Interrupted}
 */
export async function readWorkspace(source: Client | Recording, answers: Answers, options: ReadOptions) {
  const { given = {} } = options
  const notes = new Notes()
  for (const sentence of alwaysUnseen) notes.add(sentence)
  if (given.taskPriority === undefined) notes.add(unseenPriorities)
  const isRecorded = 'calls' in source
  const bag = new Bag(notes, options, isRecorded)
  if (isRecorded) {
    for (const sentence of source.notes) notes.add(sentence)
    for (const { why, operation } of source.losses)
      notes.lose(toPlainNote(why), { kind: 'response', ...(operation && { operation }) })
    readRecording(source, bag)
  } else await new Reader(source, bag, options).readAll()
  const gathered = new Gathered(bag, answers)
  const identity = bag.find('getIdentity')?.body
  const workspace: Partial<Identity['workspace']> = isObject(identity?.workspace) ? identity.workspace : {}
  const { name = 'Pulled workspace', plan = 'pro' } = workspace
  const id = isId(workspace.id) ? workspace.id : 'workspace_pulled'
  gathered.addMembers(findRecords<Member>(identity, 'members'))
  const tables = toTables(gathered)
  const { spaces, order: lists } = toSpaces(gathered)
  const forms = toForms(gathered)
  // A key needs a member to act as.
  if (gathered.people.length === 0) gathered.addPerson('member_pulled', 'Nobody')
  const keys = [{ key: 'wm_pulled_master', name: 'master', kind: 'master' } as const]
  const parts = { id, name, plan, members: gathered.people, keys, tables, spaces, forms }
  gathered.conclude()
  const made = { name: 'pulled', clock: gathered.clock, workspaces: [parts], runtime: { lists } }
  const needed = gathered.collectAnswers(given)
  const fixture = makeLoadable(made, gathered.files, needed, notes)
  return { fixture, answers: needed, notes, partial: bag.partial }
}

/**
 * Reads a workspace through the API into a fixture, one request at a time, honouring Retry-After. A read-only key is enough.
 * A mock of the fixture, with the answers, responds to every read as the deployment did, except for `unseen`.
 * @throws {CannotRun} if there is no deployment of this API, it rejects the key, or nothing in a recording can be read
 * @throws {PullStopped} if it was interrupted, the deployment stopped responding, or its responses make no fixture;
 * what was read is in `kept`
 * @throws {AnswerError} for invalid `answers`; the main entry exports the class
 */
export async function pull(options: PullOptions): Promise<Pulled> {
  try {
    const { har, anonymize: isAnonymous = false, answers: given } = options
    const recording = har && readHar(har, options.baseUrl)
    const { baseUrl = recording?.base ?? '', apiKey = '' } = options
    // A recording needs no key.
    const key = recording ? '-' : apiKey
    const { api, answers: known } = createContext(
      { ...options, baseUrl, apiKey: key },
      'pull',
      () => unwatched,
    )
    if (!recording) await assertRunnable(api)
    const read = await readWorkspace(recording ?? api, known, { ...options, given })
    const { notes } = read
    // Replacements must not be derivable from anything guessable.
    const seed = apiKey || JSON.stringify(har).slice(0, 10_000)
    const { fixture, answers } = isAnonymous ? anonymize(read, seed) : read
    return { fixture, answers, ...notes.read(isAnonymous), requests: recording ? 0 : api.transport.requests }
  } catch (error) {
    if (error instanceof Interrupted) throw new PullStopped(error.message, { cause: error })
    if (error instanceof CannotRun || error instanceof AnswerError) throw error
    const why =
      error instanceof FixtureError
        ? error.message
        : 'responses do not have the shape that the contract defines'
    throw new PullStopped(`the responses do not make a valid fixture: ${why}`, { cause: error })
  }
}
