// Requests that tell a question's answers apart: one probe per operation that shows the answer.
import { isWrite } from '../../../contract/scopes.ts'
import { operations, type OperationId } from '../../../contract/index.ts'
import { mostPerPage } from '../../../contract/limits.ts'
import type { QuestionId } from '../../../contract/questions/register.ts'
import { isTextType } from '../../../contract/column-types.ts'
import type { Column } from '../../../contract/datatables.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import { requireValue, requireMatch, Stop } from '../../deployment/stop.ts'
import type { CallOptions } from '../../deployment/client.ts'
import type { Params } from '../../deployment/ledger.ts'
import {
  findFilledLists,
  findIdleMembers,
  getOwnList,
  getOwnSpace,
  getOwnTable,
  makeBadRow,
  makeMarkedRow,
  unknownKey,
  findRichTable,
  findValues,
} from '../scenarios/own.ts'
import { unknownField } from '../scenarios/values.ts'
import { makeTask } from '../scenarios/records.ts'
import { runningTimes } from '../compare/replies.ts'
import { agree } from './agree.ts'
import type { Learner, SendProbe, Probe } from './learner.ts'
import type { Observer } from './observer.ts'

const noColumn = 'verify no such column'

const inTable = (probe: Probe) => ({ tableId: findRichTable(probe).id })
const inOwnTable = (probe: Probe) => ({ tableId: getOwnTable(probe).id })
const fullestList = (probe: Probe) => requireValue(findFilledLists(probe)[0], 'no public list has tasks')

/** Finds a text that changes in upper case and can be changed back (ß cannot), and returns it in upper case. */
const toCapitals = (texts: readonly unknown[], why: string) =>
  requireMatch(
    texts.map(String),
    (text) => text.toUpperCase() !== text && text.toUpperCase().toLowerCase() === text.toLowerCase(),
    why,
  ).toUpperCase()

/** Finds a text column whose name is unambiguous in sort, select and filters. @throws {Stop} if there is none */
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

/** Path parameters of the record that each operation with a body is tried on. */
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
} as const satisfies Partial<Record<OperationId, (probe: Probe) => Params>>

/** Makes one probe per operation, which sends the operation's body. */
const tryBodies = (
  what: string,
  bodies: Readonly<Partial<Record<keyof typeof bodyTrials, JsonObject>>>,
  toOptions: (json: JsonObject) => CallOptions = (json) => ({ json }),
) =>
  Object.fromEntries(
    Object.entries(bodies).map(([name, json]): [string, SendProbe] => {
      const operation = name as keyof typeof bodyTrials
      const send: SendProbe = (probe) =>
        probe.send(operation, { params: bodyTrials[operation](probe), ...toOptions(json) })
      return [`${operation} with ${what}`, send]
    }),
  )

const inBothModes = (what: string, rowsOf: (probe: Probe) => readonly unknown[]) => ({
  [`bulkInsertRows of ${what}, insert`]: (probe: Probe) =>
    probe.sendEach('bulkInsertRows', inOwnTable(probe), { rows: rowsOf(probe) }),
  [`bulkInsertRows of ${what}, upsert`]: (probe: Probe) => {
    const { id: tableId, text } = getOwnTable(probe)
    const json = { rows: rowsOf(probe), mode: 'upsert', key_column: text.id }
    return probe.sendEach('bulkInsertRows', { tableId }, json)
  },
})

/** Writes a value to a column of the type, in a new row and in an existing one. */
function tryColumn(type: string, what: string, valueOf: (column: Column) => unknown) {
  const cellOf = (probe: Probe) => {
    const why = `the table has no column of type ${type}`
    const column = requireMatch(getOwnTable(probe).columns, (one) => one.type === type, why)
    return { [column.id]: valueOf(column) }
  }
  return {
    [`createRow with ${what}`]: (probe: Probe) =>
      probe.sendEach('createRow', inOwnTable(probe), { data: makeMarkedRow(probe, cellOf(probe)) }),
    [`updateRow with ${what}`]: (probe: Probe) =>
      probe.sendEach('updateRow', probe.shared('row'), { data: cellOf(probe) }),
  }
}

/**
 * Prepares a new task for timers of members who seem to have none running, because starting a timer can stop another.
 */
async function prepareTimers(probe: Probe) {
  const params = await makeTask(probe)
  const idle = findIdleMembers(probe)
  const { id: member } = requireValue(idle[0], 'every member seems to be running a timer')
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
          // Removes the probe's time entries at once, so that no timer keeps running.
          if (title.includes('TimeEntry')) await learner.removeMade()
        }
      }
      return { needs: isWrite(title.split(/\W/, 1)[0] as OperationId) ? 'write' : 'read', observe } as const
    })
    return { question, probes }
  })

/** The order matters: earlier answers help to learn later answers. Each title begins with an operation. */
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
    'listRows with limit=501': (probe) => probe.get('listRows', inTable(probe), '?limit=501'),
    'queryRows with limit 501': (probe) => probe.sendEach('queryRows', inTable(probe), { limit: 501 }),
    'listTasks with limit=201': (probe) =>
      probe.get('listTasks', { listId: fullestList(probe).id }, '?limit=201'),
    'listFormSubmissions with limit=201': (probe) => {
      const { id: formId } = requireValue(probe.known.forms[0], 'the workspace has no forms')
      return probe.get('listFormSubmissions', { formId }, '?limit=201')
    },
  },
  unknownSortColumn: {
    'listRows with an unknown column in sort': (probe) =>
      probe.get('listRows', inTable(probe), { sort: noColumn }),
    'listRows with an unknown column in select': (probe) =>
      probe.get('listRows', inTable(probe), { select: noColumn }),
    'queryRows with an unknown column in sort': (probe) =>
      probe.sendEach('queryRows', inTable(probe), { sort: [{ column: noColumn }] }),
  },
  columnNames: {
    'listRows with the id of a column in select': async (probe) => {
      const { table, column } = findTextColumn(probe)
      if (table.columns.length < 2) throw new Stop('the table has only one column')
      await probe.get('listRows', { tableId: table.id }, { select: column.id, limit: 50 })
    },
  },
  unknownFilter: {
    'listRows with an unknown parameter': (probe) =>
      probe.get('listRows', inTable(probe), { [noColumn]: '1' }),
  },
  queryText: {
    'listTasks with q in capitals': async (probe) => {
      const { id: listId, tasks } = fullestList(probe)
      const q = toCapitals(
        tasks.map(({ title }) => title),
        'no task title has lowercase letters',
      )
      await probe.get('listTasks', { listId }, { q, limit: mostPerPage.tasks })
    },
    'queryRows with contains in capitals': async (probe) => {
      const { table, column } = findTextColumn(probe)
      const value = toCapitals(
        findValues(table, column),
        `column ${column.name} has no value with lowercase letters`,
      )
      const filters = [{ column: column.id, operator: 'contains', value }]
      await probe.sendEach('queryRows', { tableId: table.id }, { limit: mostPerPage.rows, filters })
    },
  },
  taskStatusFilter: {
    // Picks a type that only some tasks of the list have; otherwise an ignored filter would not show.
    'listTasks with a type as status': (probe) => {
      for (const { id: listId, statuses, tasks } of probe.known.lists)
        for (const { type } of statuses) {
          const ids = statuses.filter((one) => one.type === type).map(({ id }) => id)
          const count = tasks.filter(({ status_id }) => ids.includes(status_id)).length
          if (count > 0 && count < tasks.length && !statuses.some(({ name }) => name === type))
            return probe.get('listTasks', { listId }, { status: type, limit: mostPerPage.tasks })
        }
      throw new Stop('no list has tasks in statuses of two types')
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
    updateTask: { title: 'verify' },
    updateComment: { content: 'changed' },
    updateList: { icon: 'star' },
    updateSpace: { icon: 'star' },
  }),
  unknownBodyFields: tryBodies('an unknown field', {
    queryRows: unknownField,
    updateTask: unknownField,
    createTask: { title: 'verify', ...unknownField },
    updateList: unknownField,
    updateSpace: unknownField,
    updateRow: { data: {}, ...unknownField },
    createTimeEntry: { action: 'manual', duration: 60, ...unknownField },
    createComment: { content: 'verify', ...unknownField },
  }),
  contentType: tryBodies(
    'JSON as text/plain',
    {
      queryRows: {},
      updateTask: {},
      updateList: {},
      createComment: { content: 'verify' },
      updateRow: { data: {} },
    },
    (json) => ({ body: JSON.stringify(json), headers: { 'content-type': 'text/plain' } }),
  ),
  emptyNames: tryBodies('a blank name', {
    createTask: { title: '  ' },
    updateTask: { title: '  ' },
    createComment: { content: '  ' },
    updateList: { name: '  ' },
  }),
  unknownRowKeys: {
    'createRow with a key that is not a column': (probe) =>
      probe.sendEach('createRow', inOwnTable(probe), { data: makeMarkedRow(probe, unknownKey) }),
    'updateRow with a key that is not a column': (probe) =>
      probe.sendEach('updateRow', probe.shared('row'), { data: unknownKey }),
  },
  unknownCustomFields: tryBodies('an unknown custom field', {
    createTask: { title: 'verify', custom_data: unknownField },
    updateTask: { custom_data: unknownField },
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
    'createTimeEntry with a second start': withTimers(async ({ start, list }, probe) => {
      await start()
      await probe.wait(1000)
      await start()
      await list()
    }),
  },
  stopEntry: {
    'createTimeEntry with a stop while two members have a running entry': withTimers(
      async ({ act, start, idle, list }, probe) => {
        const first = await act({ action: 'start' })
        const acting = [first, probe.latest?.theirs].map((reply) => reply?.field('user_id'))
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
