// Owns the reading of a fixture: what is wrong with it is told, what is missing is filled in.
import type { Plan } from '../contract/identity.ts'
import { defaultAnswers, type Answers } from '../contract/questions.ts'
import type { AgendaEntry } from './agenda.ts'
import { BaseRecords } from './collection.ts'
import type { OwnFixture } from './fixture.ts'
import { Problems } from './fixture-error.ts'
import { FixtureInput } from './fixture-schema.ts'
import { writeWorkspaces } from './fixture-workspaces.ts'
import { FixtureWriter } from './fixture-writer.ts'
import type { ListRecord } from './lists.ts'
import { BaseRows } from './row-table.ts'
import { emptyRuntime, type RuntimeState } from './runtime.ts'
import { agendaOf } from './settle.ts'
import type { Limits } from './workspaces.ts'
import { World, recordSchemas, resourceNames, type Base, type Records } from './world.ts'

export interface LoadOptions {
  /** Of the first workspace, in place of its own. */
  readonly plan?: Plan
  /** Of every workspace, over its own. */
  readonly limits?: Limits
  /** Say which scopes and types of custom fields there are; by default the default answers. */
  readonly answers?: Answers
  /** The package's own, of which the tests have seen that its shape is right: looking again takes half of the time. */
  readonly isOwn?: boolean
}

/** 2026-01-05T10:00:00Z */
const defaultClock = 1_767_607_200

/** @throws {FixtureError} for what is no fixture by its shape */
function checkShape(input: unknown): FixtureInput {
  const checked = FixtureInput.safeParse(input)
  if (checked.success) return checked.data
  const problems = new Problems('fixture')
  problems.addIssues(checked.error, input)
  problems.throwAny()
  throw checked.error
}

/** The exact moment a fixture starts at. One kept with another clock was left behind when the clock was edited. */
function momentOf({ clock = defaultClock, runtime }: FixtureInput): number {
  const exact = runtime?.now_ms
  return exact !== undefined && Math.floor(exact / 1000) === clock ? exact : clock * 1000
}

function emptyBase(fixture: FixtureInput): Base {
  const { ids, autonumbers, windows } = fixture.runtime ?? {}
  const none = emptyRuntime()
  const runtime: RuntimeState = {
    ids: ids ?? none.ids,
    autonumbers: autonumbers ?? none.autonumbers,
    windows: windows ?? none.windows,
  }
  const nowMs = momentOf(fixture)
  return {
    name: fixture.name ?? 'custom',
    clock: Math.floor(nowMs / 1000),
    nowMs,
    records: recordsOf(() => []),
    rows: new Map(),
    files: new Map(),
    payloads: new Map(),
    runtime,
    agenda: [],
  }
}

function recordsOf(
  all: <Name extends keyof Records>(name: Name) => readonly Records[Name][],
): Base['records'] {
  const records = resourceNames.map((name) => [
    name,
    new BaseRecords(recordSchemas[name] as never, all(name) as never),
  ])
  return Object.fromEntries(records) as Base['records']
}

/** Writes the fixture into a world of its own. */
function worldOf(fixture: FixtureInput, options: LoadOptions): World {
  const { plan, limits, answers = defaultAnswers, isOwn = false } = options
  const base = emptyBase(fixture)
  const world = new World(base, {
    answers,
    clock: { mode: 'manual', nowMs: base.nowMs },
    emit: () => undefined,
  })
  const writer = new FixtureWriter(world, {
    what: 'fixture',
    addsToExisting: false,
    allowsLostLinks: fixture.runtime !== undefined,
    knowsTimezones: isOwn,
    files: fixture.files ?? {},
  })
  const workspaces = fixture.workspaces.map((workspace, index) => ({
    ...workspace,
    ...(plan && index === 0 && { plan }),
    limits: { ...workspace.limits, ...limits },
  }))
  writeWorkspaces(writer, workspaces)
  writer.finish()
  return world
}

/** Lists in order of creation, where that is known; those it does not name stay behind in theirs. */
function orderedLists(lists: readonly ListRecord[], order: readonly string[] = []): readonly ListRecord[] {
  if (order.length === 0) return lists
  const positions = new Map(order.map((id, position) => [id, position]))
  const positionOf = ({ id }: ListRecord) => positions.get(id) ?? order.length
  return [...lists].sort((a, b) => positionOf(a) - positionOf(b))
}

/** What is due: as exported where that still holds, and what follows from the records. */
function agendaFor(world: World, saved: readonly AgendaEntry[] = []): AgendaEntry[] {
  const keyOf = ({ kind, id }: AgendaEntry) => `${kind}:${id}`
  const due = new Map(
    agendaOf({ jobs: world.jobs.all(), tasks: world.tasks.all() }).map((entry) => [keyOf(entry), entry]),
  )
  const kept = saved.filter((entry) => due.delete(keyOf(entry)))
  return [...kept, ...due.values()]
}

/**
 * Reads a fixture into what worlds are made over. The input is not held on to.
 * @throws {FixtureError} naming what is wrong by its path
 */
export function loadBase(input: unknown, options: LoadOptions = {}): Base {
  const own = options.isOwn ? (input as OwnFixture) : undefined
  const fixture = own ? (own as FixtureInput) : checkShape(input)
  const world = worldOf(fixture, options)
  const { runtime } = fixture
  const tables = world.tables
    .all()
    .map(({ id }) => [id, new BaseRows(own?.generated?.[id] ?? world.rows(id).all())] as const)
  return {
    ...world.base,
    records: recordsOf((name) => {
      const all = world[name].all()
      return (name === 'lists' ? orderedLists(all as ListRecord[], runtime?.lists) : all) as never
    }),
    rows: new Map(tables),
    files: new Map(world.files.entries()),
    payloads: new Map(world.payloads.entries()),
    runtime: world.runtime.state(),
    agenda: agendaFor(world, runtime?.agenda),
  }
}
