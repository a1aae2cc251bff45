// Every field that a PATCH accepts changes what a GET shows.
import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { operationList, type OperationId } from '../../src/contract/index.ts'
import { createWorkspaceMock, type Fixture } from '../../src/index.ts'
import { testFixture } from '../behaviour/support/fixture.ts'
import { samples } from './support/samples.ts'

interface Reading {
  readonly path: string
  readonly read: string
  readonly find: (json: any) => any
}

const byId = (name: string, id: string) => (json: any) =>
  json[name].find((item: { id: string }) => item.id === id)

/** For each operation, a record to change and where to read it. */
const readings: Partial<Record<OperationId, Reading>> = {
  updateRow: {
    path: '/datatables/tbl_all/rows/row_1',
    read: '/datatables/tbl_all/rows/row_1',
    find: (json) => json,
  },
  updateSpace: { path: '/spaces/spc_main', read: '/spaces', find: byId('spaces', 'spc_main') },
  updateList: { path: '/lists/lst_main', read: '/lists/lst_main', find: (json) => json },
  updateTask: { path: '/tasks/tsk_full', read: '/tasks/tsk_full', find: (json) => json },
  updateComment: {
    path: '/tasks/tsk_full/comments/cmt_ada',
    read: '/tasks/tsk_full/comments',
    find: byId('comments', 'cmt_ada'),
  },
  updateTimeEntry: {
    path: '/tasks/tsk_full/time-entries/ent_ada',
    read: '/tasks/tsk_full/time-entries',
    find: byId('entries', 'ent_ada'),
  },
}

/** Values for fields that must refer to something that exists. */
const references: Readonly<Record<string, unknown>> = {
  data: { col_text: 'changed' },
  status_id: 'st_doing',
  assignees: ['mem_cy'],
  custom_data: { fld_text: 'changed' },
  parent_task_id: 'tsk_plain',
  date_end: 1_900_000_000,
}

const changes = operationList
  .filter(({ method }) => method === 'PATCH')
  .flatMap(({ id, body }) =>
    Object.entries((body?.json as unknown as z.ZodMiniObject).shape).map(
      ([key, schema]) => [id, key, schema as z.ZodMiniType] as const,
    ),
  )

describe('what a PATCH takes', () => {
  it.each(changes)('%s answers 200 and changes what is read when %s is sent', async (id, key, schema) => {
    const reading = readings[id]
    if (!reading) throw new Error(`no record is named for ${id}`)
    const candidates = key in references ? [references[key]] : samples(schema)
    const shown = new Set<string>()
    for (const value of candidates) {
      const mock = createWorkspaceMock({
        fixture: testFixture as unknown as Fixture,
        answers: { taskReadExtras: true },
      })
      const send = async (path: string, init?: RequestInit) => {
        const headers = { authorization: 'Bearer wm_test_master', 'content-type': 'application/json' }
        const response = await mock.fetch(new Request(`${mock.baseUrl}${path}`, { ...init, headers }))
        return { status: response.status, json: await response.json() }
      }
      const read = async () => JSON.stringify(reading.find((await send(reading.read)).json)[key])
      const before = await read()
      const { status } = await send(reading.path, {
        method: 'PATCH',
        body: JSON.stringify({ [key]: value }),
      })
      const after = await read()
      if (status === 200 && after !== undefined && after !== before) shown.add(after)
    }
    expect([...shown]).not.toEqual([])
  })
})
