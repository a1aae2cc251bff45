// The requests that tell the answers to a question apart, a probe for each operation that shows its answer.
import { operations, type OperationId } from '../../../contract/index.ts'
import { mostPerPage } from '../../../contract/limits.ts'
import type { QuestionId } from '../../../contract/questions/register.ts'
import { isTextType } from '../../../contract/column-types.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { requireValue, requireMatch, Stop } from '../engine/stop.ts'
import { isWrite } from '../engine/client.ts'
import {
  findFilledLists,
  findIdleMembers,
  getOwnList,
  getOwnSpace,
  getOwnTable,
  makeBadRow,
  makeMarkedRow,
  unknownKey,
} from '../scenarios/own.ts'
import { unknownField } from '../scenarios/values.ts'
import { makeTask } from '../scenarios/records.ts'
import { findRichTable, findValues } from '../scenarios/tables.ts'
import { runningTimes } from '../twin/twin.ts'
import { agree } from './agree.ts'
import type { Learner, SendProbe, Probe } from './learner.ts'
import type { Observer } from './observer.ts'

const noColumn = 'verify no such column'

const inTable = (probe: Probe) => ({ tableId: findRichTable(probe).id })
const inOwnTable = (probe: Probe) => ({ tableId: getOwnTable(probe).id })
const fullestList = (probe: Probe) =>
  requireValue(findFilledLists(probe)[0], 'no list that is not private has tasks')

/** A text in capitals, if that changes it and can be undone. Upper case replaces some letters for good, such as ß. */
const toCapitals = (texts: readonly unknown[], why: string) =>
  requireMatch(
    texts.map(String),
    (text) => text.toUpperCase() !== text && text.toUpperCase().toLowerCase() === text.toLowerCase(),
    why,
  ).toUpperCase()

/** A text column that sort, select and filters can name alone. @throws {Stop} */
function findTextColumn(probe: Probe) {
  const table = findRichTable(probe)
  const reserved = Object.keys(operations.listRows.query)
  const isPlain = (name: string) => !/[,:]/.test(name) && name.trim() === name && !reserved.includes(name)
  const isAlone = (name: string) => table.columns.filter((other) => other.name === name).length === 1
  const found = table.columns.find(
    (column) =>
      isTextType(column.type) &&
      isPlain(column.name) &&
      isAlone(column.name) &&
      !table.columns.some(({ name }) => name === column.id) &&
      findValues(table, column).length > 0,
  )
  return { table, column: requireValue(found, `table ${table.name} has no text column with a value`) }
}

const trial =
  (
    operation: OperationId,
    paramsOf: (probe: Probe) => Readonly<Record<string, string>>,
    ask: object,
  ): SendProbe =>
  (probe) =>
    probe.send(operation, { params: paramsOf(probe), ...ask })

const asText = (body: string) => ({ body, headers: { 'content-type': 'text/plain' } })

/** A trial for each operation that takes a body. */
const bodyTrials = {
  queryRows: inTable,
  updateTask: (probe: Probe) => probe.shared('task'),
  createTask: (probe: Probe) => ({ listId: getOwnList(probe) }),
  updateList: (probe: Probe) => ({ listId: getOwnList(probe) }),
  updateSpace: (probe: Probe) => ({ spaceId: getOwnSpace(probe) }),
  updateRow: (probe: Probe) => probe.shared('row'),
  createTimeEntry: (probe: Probe) => probe.shared('task'),
  createComment: (probe: Probe) => probe.shared('task'),
  updateComment: (probe: Probe) => probe.shared('comment'),
} as const satisfies Partial<Record<OperationId, (probe: Probe) => Readonly<Record<string, string>>>>

const tryBodies = (what: string, asks: Readonly<Partial<Record<keyof typeof bodyTrials, object>>>) =>
  Object.fromEntries(
    Object.entries(asks).map(([name, ask]) => {
      const operation = name as keyof typeof bodyTrials
      return [`${operation} with ${what}`, trial(operation, bodyTrials[operation], ask)]
    }),
  )

const inBothModes = (what: string, rowsOf: (probe: Probe) => readonly unknown[]) =>
  Object.fromEntries(
    ['insert', 'upsert'].map((mode): [string, SendProbe] => [
      `bulkInsertRows of ${what}, ${mode}`,
      (probe) =>
        probe.send('bulkInsertRows', {
          params: inOwnTable(probe),
          json: {
            rows: rowsOf(probe),
            ...(mode === 'upsert' && { mode, key_column: getOwnTable(probe).text.id }),
          },
        }),
    ]),
  )

/** Writes a value to a column of a type, in a new row and in one that exists. */
function tryColumn(
  type: string,
  what: string,
  valueOf: (column: ReturnType<typeof getOwnTable>['columns'][number]) => unknown,
) {
  const cellOf = (probe: Probe) => {
    const column = requireMatch(
      getOwnTable(probe).columns,
      (one) => one.type === type,
      `the table has no column of type ${type}`,
    )
    return { [column.id]: valueOf(column) }
  }
  return {
    [`createRow with ${what}`]: (probe: Probe) =>
      probe.send('createRow', {
        params: inOwnTable(probe),
        json: { data: makeMarkedRow(probe, cellOf(probe)) },
      }),
    [`updateRow with ${what}`]: (probe: Probe) =>
      probe.send('updateRow', { params: probe.shared('row'), json: { data: cellOf(probe) } }),
  }
}

/** Timers of a new task, of members who seem to have none running: a timer that is started can stop another. */
async function prepareTimers(probe: Probe) {
  const params = await makeTask(probe)
  const idle = findIdleMembers(probe)
  const { id: member } = requireValue(idle[0], 'all members seem to run a timer')
  const act = (json: JsonObject) => probe.send('createTimeEntry', { params, json }, { near: runningTimes })
  const start = (as_user = member) => act({ action: 'start', as_user })
  const list = () => probe.get('listTimeEntries', params)
  return { params, idle: idle.map(({ id }) => id), act, start, list }
}

const withTimers =
  (send: (timers: Awaited<ReturnType<typeof prepareTimers>>, probe: Probe) => Promise<unknown>): SendProbe =>
  async (probe) =>
    send(await prepareTimers(probe), probe)

type Plays = Readonly<Record<string, SendProbe>>

/** The observers of questions that are learned by agreement. */
const toObservers = (all: Readonly<Partial<Record<QuestionId, Plays>>>): Observer[] =>
  Object.entries(all).map(([id, plays]) => {
    const question = id as QuestionId
    const probes = Object.entries(plays).map(([title, send]) => {
      const observe = async (learner: Learner) => {
        try {
          return await agree(learner, question, title, send)
        } finally {
          // A probe that starts timers leaves none running.
          if (title.includes('TimeEntry')) await learner.removeMade()
        }
      }
      return { needs: isWrite(title.split(/\W/, 1)[0] as OperationId) ? 'write' : 'read', observe } as const
    })
    return { question, probes }
  })

/** In this order: what is learned first helps to learn the rest. Each title begins with an operation. */
export const readProbes = toObservers({
  rowShape: {
    'listRows and getRow of one row': async (probe) => {
      const { id: tableId, rows } = findRichTable(probe)
      await probe.get('listRows', { tableId }, '?limit=5')
      await probe.get('getRow', { tableId, rowId: rows[0]?.id ?? '' })
    },
  },
  emptyColumns: {
    'listRows of rows with empty columns': (probe) => probe.get('listRows', inTable(probe), '?limit=200'),
    'getRow of rows with empty columns': async (probe) => {
      const { id: tableId, rows } = findRichTable(probe)
      for (const { id: rowId } of rows.slice(0, 3)) await probe.get('getRow', { tableId, rowId })
    },
  },
  taskReadExtras: {
    'getTask of a task': (probe) => {
      const task = requireValue(fullestList(probe).tasks[0], 'no list has tasks')
      return probe.get('getTask', { taskId: task.id })
    },
    'listTasks of a list': (probe) => probe.get('listTasks', { listId: fullestList(probe).id }),
  },
  customFieldOptions: {
    'getListSchema of lists with options': async (probe) => {
      const lists = probe.known.lists.filter(({ fields }) =>
        fields.some(({ options = [] }) => options.length > 0),
      )
      for (const { id: listId } of lists.slice(0, 2)) await probe.get('getListSchema', { listId })
      requireValue(lists[0], 'no list has a custom field with options')
    },
  },
  formTargetType: { 'listForms of all forms': (probe) => probe.get('listForms') },
  limitAboveMax: {
    'listRows with limit=501': trial('listRows', inTable, { query: { limit: 501 } }),
    'queryRows with limit 501': trial('queryRows', inTable, { json: { limit: 501 } }),
    'listTasks with limit=201': trial('listTasks', (probe) => ({ listId: fullestList(probe).id }), {
      query: { limit: 201 },
    }),
    'listFormSubmissions with limit=201': trial(
      'listFormSubmissions',
      ({ known }) => ({ formId: requireValue(known.forms[0], 'there is no form').id }),
      { query: { limit: 201 } },
    ),
  },
  unknownSortColumn: {
    'listRows with an unknown column in sort': trial('listRows', inTable, { query: { sort: noColumn } }),
    'listRows with an unknown column in select': trial('listRows', inTable, { query: { select: noColumn } }),
    'queryRows with an unknown column in sort': trial('queryRows', inTable, {
      json: { sort: [{ column: noColumn }] },
    }),
  },
  columnNames: {
    'listRows with the id of a column in select': async (probe) => {
      const { table, column } = findTextColumn(probe)
      if (table.columns.length < 2) throw new Stop('the table has only one column')
      await probe.get('listRows', { tableId: table.id }, { select: column.id, limit: 50 })
    },
  },
  unknownFilter: {
    'listRows with an unknown parameter': trial('listRows', inTable, { query: { [noColumn]: '1' } }),
  },
  queryText: {
    'listTasks with q in capitals': async (probe) => {
      const { id: listId, tasks } = fullestList(probe)
      const q = toCapitals(
        tasks.map(({ title }) => title),
        'no task title has small letters',
      )
      await probe.get('listTasks', { listId }, { q, limit: mostPerPage.tasks })
    },
    'queryRows with contains in capitals': async (probe) => {
      const { table, column } = findTextColumn(probe)
      const value = toCapitals(
        findValues(table, column),
        `column ${column.name} has no value with small letters`,
      )
      const filters = [{ column: column.id, operator: 'contains', value }]
      await probe.sendEach('queryRows', { tableId: table.id }, { limit: mostPerPage.rows, filters })
    },
  },
  taskStatusFilter: {
    // A type that some tasks of the list have and others have not, so that a filter which is ignored shows.
    'listTasks with a type as status': (probe) => {
      for (const { id: listId, statuses, tasks } of probe.known.lists)
        for (const { type } of statuses) {
          const ids = statuses.filter((one) => one.type === type).map(({ id }) => id)
          const count = tasks.filter(({ status_id }) => ids.includes(status_id)).length
          if (count > 0 && count < tasks.length && !statuses.some(({ name }) => name === type))
            return probe.get('listTasks', { listId }, { status: type, limit: mostPerPage.tasks })
        }
      throw new Stop('no list has tasks of two types of status')
    },
  },
})

export const writeProbes = toObservers({
  timeEntryUsers: {
    'createTimeEntry, then listTimeEntries': async (probe) => {
      const params = await makeTask(probe)
      await probe.sendEach('createTimeEntry', params, { action: 'manual', duration: 60 })
      await probe.get('listTimeEntries', params)
    },
  },
  bulkErrors: inBothModes('a good and a bad row', (probe) => [makeMarkedRow(probe), makeBadRow(probe)]),
  bulkAllFailed: inBothModes('a bad row', (probe) => [makeBadRow(probe)]),
  mutationBody: tryBodies('a change', {
    updateTask: { json: { title: 'verify' } },
    updateComment: { json: { content: 'changed' } },
    updateList: { json: { icon: 'star' } },
    updateSpace: { json: { icon: 'star' } },
  }),
  unknownBodyFields: tryBodies('an unknown field', {
    queryRows: { json: unknownField },
    updateTask: { json: unknownField },
    createTask: { json: { title: 'verify', ...unknownField } },
    updateList: { json: unknownField },
    updateSpace: { json: unknownField },
    updateRow: { json: { data: {}, ...unknownField } },
    createTimeEntry: { json: { action: 'manual', duration: 60, ...unknownField } },
    createComment: { json: { content: 'verify', ...unknownField } },
  }),
  contentType: tryBodies('JSON as text/plain', {
    queryRows: asText('{}'),
    updateTask: asText('{}'),
    updateList: asText('{}'),
    createComment: asText('{"content":"verify"}'),
    updateRow: asText('{"data":{}}'),
  }),
  emptyNames: tryBodies('a blank name', {
    createTask: { json: { title: '  ' } },
    updateTask: { json: { title: '  ' } },
    createComment: { json: { content: '  ' } },
    updateList: { json: { name: '  ' } },
  }),
  unknownRowKeys: {
    'createRow with a key that is not a column': (probe) =>
      probe.send('createRow', {
        params: inOwnTable(probe),
        json: { data: makeMarkedRow(probe, unknownKey) },
      }),
    'updateRow with a key that is not a column': trial('updateRow', bodyTrials.updateRow, {
      json: { data: unknownKey },
    }),
  },
  unknownCustomFields: tryBodies('an unknown custom field', {
    createTask: { json: { title: 'verify', custom_data: unknownField } },
    updateTask: { json: { custom_data: unknownField } },
  }),
  typeChecks: tryColumn(
    'dropdown',
    'the label of an option',
    ({ options = [] }) =>
      requireMatch(
        options,
        ({ label }) => !options.some(({ id }) => id === label),
        'the dropdown has no option whose label is not an id',
      ).label,
  ),
  attachmentWrites: tryColumn('attachment', 'a text for files', () => 'verify'),
  runningDuration: {
    'createTimeEntry, and listTimeEntries 4 s later': withTimers(async ({ start, list }, probe) => {
      await start()
      await probe.wait(4000)
      await list()
    }),
  },
  startEntry: {
    'createTimeEntry by a second start': withTimers(async ({ start, list }, probe) => {
      await start()
      await probe.wait(1000)
      await start()
      await list()
    }),
  },
  stopEntry: {
    'createTimeEntry by a stop where two members run one': withTimers(
      async ({ act, start, idle, list }, probe) => {
        const first = await act({ action: 'start' })
        const acting = [first, probe.exchanges.at(-1)?.theirs].map((reply) => reply?.field('user_id'))
        await probe.wait(1000)
        await start(requireMatch(idle, (id) => !acting.includes(id), 'the workspace has no other member'))
        await act({ action: 'stop' })
        await list()
      },
    ),
  },
  editRunning: {
    'updateTimeEntry of a running entry': withTimers(async ({ params, start }, probe) => {
      const entryId = String((await start()).field('id'))
      await probe.send('updateTimeEntry', { params: { ...params, entryId }, json: { note: 'verify' } })
    }),
  },
})
