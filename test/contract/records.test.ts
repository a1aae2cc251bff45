// Every field of every resource survives being written to a fixture and read back.
import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { resourceNames, resources, type Entity, type ResourceName } from '../../src/contract/resources.ts'
import { defaultAnswers } from '../../src/contract/questions/register.ts'
import { createWorkspaceMock, type Fixture } from '../../src/index.ts'
import { exportFixture } from '../../src/service/fixture/export.ts'
import { FixtureError } from '../../src/service/fixture/error.ts'
import { loadBase } from '../../src/service/fixture/load.ts'
import type { ResourceCollection } from '../../src/service/store/collection.ts'
import { noEvents } from '../../src/service/store/events.ts'
import { Store } from '../../src/service/store/store.ts'
import { NOW, testFixture } from '../behaviour/support/fixture.ts'
import { samples } from './support/samples.ts'

type Fields = Entity & Record<string, unknown>

/** The suite's fixture, plus records that it lacks. */
function startState(): Fixture {
  const fixture = structuredClone(testFixture) as unknown as { workspaces: Record<string, unknown>[] }
  fixture.workspaces[0]!.timezone = 'Europe/Lisbon'
  const mock = createWorkspaceMock({ fixture: fixture as unknown as Fixture })
  mock.seed({
    tasks: [
      {
        list_id: 'lst_main',
        title: 'Repeats',
        repeat_config: { trigger: 'on_schedule', frequency: 'daily' },
        time_entries: [{ is_running: 1, date_start: NOW - 60 }],
      },
    ],
    forms: [
      {
        name: 'For rows',
        target_type: 'datatable',
        target_id: 'tbl_empty',
        submissions: [{ created_entity_id: 'row_gone' }],
      },
    ],
    jobs: [
      { table_id: 'tbl_empty', status: 'done', submitted: 2, created_ms: NOW * 1000 },
      { table_id: 'tbl_empty', status: 'done', submitted: 2, row_count: 1, errors: 1, messages: ['chunk 1'] },
      { table_id: 'tbl_many', rows: [{}, {}, {}] },
    ],
  })
  return mock.state()
}

function storeOf(fixture: unknown): Store {
  const base = loadBase(fixture)
  return new Store(base, {
    answers: defaultAnswers,
    clock: { mode: 'manual', nowMs: base.nowMs },
    events: noEvents,
  })
}

const records = (store: Store, name: ResourceName) => store[name] as unknown as ResourceCollection<Fields>

/** A record's field after the state was exported and loaded; undefined if the state is refused. */
function survivor(name: ResourceName, record: Fields, key: string): unknown {
  const store = storeOf(start)
  records(store, name).put(record)
  try {
    return records(storeOf(exportFixture(store)), name).get(record.id)?.[key]
  } catch (error) {
    if (error instanceof FixtureError) return undefined
    throw error
  }
}

/** How many different values of a field survive unchanged; two prove that the field is kept. */
function survived(name: ResourceName, key: string, schema: z.ZodMiniType): number {
  const all = records(storeOf(start), name).all()
  const told = new Set<string>()
  for (const value of [...all.map((record) => record[key]), ...samples(schema)]) {
    const text = JSON.stringify(value)
    if (told.has(text)) continue
    const holders = all.filter((record) => JSON.stringify(record[key]) === text)
    for (const record of [...holders.slice(0, 1), ...all.slice(0, 4)])
      if (JSON.stringify(survivor(name, { ...record, [key]: value }, key)) === text) {
        told.add(text)
        break
      }
    if (told.size > 1) break
  }
  return told.size
}

const start = startState()

describe('state and loadState', () => {
  const keys = resourceNames.flatMap((name) =>
    Object.entries((resources[name].schema as unknown as z.ZodMiniObject).shape)
      .filter(([key]) => key !== 'id' && key !== 'workspace_id')
      .map(([key, schema]) => [name, key, schema as z.ZodMiniType] as const),
  )

  it.each(keys)('loadState keeps %s.%s as state had it', (name, key, schema) => {
    expect(survived(name, key, schema)).toBe(2)
  })
})
