// Removes what a run has made, however the run ended.
import type { Client } from './client.ts'
import type { Ledger, Made } from './ledger.ts'
import type { LeftBehind } from './report.ts'
import { cellsOf, type Cells } from '../rules/rows/shapes.ts'

const pageSize = 500
/** Most pages of a table that are searched for rows of this run. */
const mostPages = 40
/** Most rounds of removal, in case a deployment does not remove what it says it removes. */
const mostRounds = 3

export interface CleanupScene {
  readonly api: Client
  readonly ledger: Ledger
  /** Prefix of every text that the run writes into rows. */
  readonly marker: string
}

async function removeOne({ api, ledger }: CleanupScene, entry: Made): Promise<LeftBehind[]> {
  try {
    const reply = await api.call(entry.remove, { params: entry.params })
    ledger.forget(entry)
    // A missing record counts as removed.
    if (reply.isSuccess || reply.status === 404) return []
    return [{ what: entry.what, why: `${entry.remove} answers ${reply.summary}` }]
  } catch (error) {
    ledger.forget(entry)
    return [{ what: entry.what, why: error instanceof Error ? error.message : String(error) }]
  }
}

/** Found even if the deployment stored a text sent in the wrong type in some other form. */
const isMarked = (cells: Cells, marker: string) => JSON.stringify(Object.values(cells)).includes(marker)

/** Ids of the rows of a table that hold a text of this run. */
async function markedRows({ api, marker }: CleanupScene, tableId: string): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const { rows } = await api.succeed('listRows', { params: { tableId }, query: { page, limit: pageSize } })
    ids.push(...rows.filter((row) => isMarked(cellsOf(row), marker)).map(({ id }) => id))
    if (rows.length === 0) break
  }
  return ids
}

/** Tasks of a list that the run made: all of them are its own. */
async function tasksOf({ api }: CleanupScene, listId: string): Promise<string[]> {
  const { tasks } = await api.succeed('listTasks', { params: { listId }, query: { limit: 200 } })
  return tasks.map(({ id }) => id)
}

/** Removes everything that a search finds, until it finds nothing. */
async function sweep(
  scene: CleanupScene,
  what: string,
  search: () => Promise<string[]>,
  entryOf: (id: string) => Made,
): Promise<LeftBehind[]> {
  try {
    const left: LeftBehind[] = []
    for (let round = 0; round < mostRounds; round += 1) {
      const ids = await search()
      if (ids.length === 0) return left
      for (const id of ids) left.push(...(await removeOne(scene, entryOf(id))))
    }
    const ids = await search()
    return [
      ...left,
      ...ids.map((id) => ({ what: entryOf(id).what, why: 'it is still listed after its removal' })),
    ]
  } catch (error) {
    return [{ what, why: `it was not searched: ${error instanceof Error ? error.message : String(error)}` }]
  }
}

/** Removes all that can be removed. @returns what is left */
export async function cleanUp(scene: CleanupScene): Promise<LeftBehind[]> {
  const { api, ledger } = scene
  api.transport.isCleaningUp = true
  const left: LeftBehind[] = []
  for (const entry of ledger.open) left.push(...(await removeOne(scene, entry)))
  for (const tableId of ledger.sweptTables) {
    const search = () => markedRows(scene, tableId)
    const rowOf = (rowId: string): Made => ({
      what: `row ${rowId}`,
      remove: 'deleteRow',
      params: { tableId, rowId },
    })
    left.push(...(await sweep(scene, `rows of table ${tableId}`, search, rowOf)))
  }
  for (const { what, id } of ledger.lasting) {
    if (what !== 'list') continue
    const search = () => tasksOf(scene, id)
    const taskOf = (taskId: string): Made => ({
      what: `task ${taskId}`,
      remove: 'deleteTask',
      params: { taskId },
    })
    left.push(...(await sweep(scene, `tasks of list ${id}`, search, taskOf)))
  }
  const lasting = ledger.lasting.map(({ what, id, name }) => ({
    what: `${what} ${id}${name === '' ? '' : ` (${name})`}`,
    why: `the API has no operation that deletes a ${what}`,
  }))
  return [...left, ...lasting]
}
