// A live workspace, read through the API one request at a time, as a fixture.
import type { Identity } from '../../contract/identity.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { AnswersInput } from '../../contract/questions/register.ts'
import type { Fixture, FixtureWorkspace } from '../../../fixtures/types.ts'
import { assertRunnable, contextOf, type RunOptions } from '../engine/start.ts'
import { Interrupted } from '../engine/drift.ts'
import type { Context } from '../engine/rule.ts'
import { anonymized } from './anonymize.ts'
import { pulledForms } from './forms.ts'
import { Gathered } from './gathered.ts'
import { pulledSpaces } from './lists.ts'
import { PullStopped, Reader, recordsIn, type KeptReads } from './reader.ts'
import { pulledTables } from './tables.ts'

export interface PullOptions extends Omit<RunOptions, 'write' | 'table' | 'marker' | 'nowMs'> {
  /** Replaces ids and every free text consistently; default false. */
  readonly anonymize?: boolean | undefined
  /** Downloads the files of tasks, which otherwise hold zero bytes; default false. */
  readonly files?: boolean | undefined
  /** The most rows that are read of a table, the first ones; default all. */
  readonly rows?: number | undefined
  /** Where response bodies are kept: what it holds is not requested again, so that an interrupted pull can resume. */
  readonly kept?: KeptReads | undefined
}

/** What a pull read: plain JSON. */
export interface Pulled {
  /** What `createWorkspaceMock` takes; its key is `wm_pulled_master`. */
  readonly fixture: Fixture
  /** Observed and given answers that differ from the default ones: for a mock that responds as the deployment does. */
  readonly answers: AnswersInput
  /** What the fixture lacks or assumes, in sentences. */
  readonly unseen: readonly string[]
  readonly requests: number
}

const alwaysUnseen = [
  'Live keys and their scopes: the fixture has one master key, wm_pulled_master.',
  'Private spaces and lists, deleted tasks, jobs, locks of tables, the time zone and limits of the workspace.',
]

const unseenPriorities =
  'Which integer stands for which priority: reading cannot show it, so question taskPriority is taken as by default; `verify --write --learn` observes it.'

async function workspaceOf(
  gathered: Gathered,
): Promise<FixtureWorkspace & { readonly order: readonly string[] }> {
  const identity = await gathered.reader.get('getIdentity')
  gathered.members(recordsIn(identity, 'members'))
  const workspace = isObject(identity?.workspace) ? (identity.workspace as Identity['workspace']) : undefined
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

async function pulled(context: Context, options: PullOptions): Promise<Pulled> {
  const { anonymize = false, files = false, rows = Infinity, answers = {}, onProgress } = options
  const { kept = new Map<string, unknown>() } = options
  const { api } = context
  await assertRunnable(api)
  const reader = new Reader(api, kept, onProgress)
  const gathered = new Gathered(reader, context.answers, files, rows)
  reader.plan(5)
  const { order, ...workspace } = await workspaceOf(gathered)
  const fixture: Fixture = {
    name: 'pulled',
    clock: gathered.clock,
    workspaces: [workspace],
    files: gathered.files,
    runtime: { lists: order },
  }
  return {
    fixture: anonymize ? anonymized(fixture, options.apiKey) : fixture,
    answers: gathered.observed(answers),
    unseen: [
      ...alwaysUnseen,
      ...(answers.taskPriority === undefined ? [unseenPriorities] : []),
      ...gathered.notes,
      ...gathered.misfitNotes,
    ],
    requests: api.transport.requests,
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
    return await pulled(contextOf(options), options)
  } catch (error) {
    if (error instanceof Interrupted) throw new PullStopped(error.message, { cause: error })
    throw error
  }
}
