// Removes what a run has made, however the run ended.
import type { Client } from './client.ts'
import { messageOf } from './failure.ts'
import { idsOf } from './expect.ts'
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
  const { what, remove, params } = entry
  try {
    const reply = await api.call(remove, { params })
    // A missing record counts as removed.
    if (reply.isSuccess || reply.status === 404) return []
    return [{ what, why: `${remove} responds with ${reply.summary}` }]
  } catch (error) {
    return [{ what, why: messageOf(error) }]
  } finally {
    ledger.forget(entry)
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

/** Removes everything that a search finds, until it finds nothing. */
async function sweep(
  scene: CleanupScene,
  where: string,
  search: () => Promise<string[]>,
  entryOf: (id: string) => Made,
): Promise<LeftBehind[]> {
  const left: LeftBehind[] = []
  try {
    for (let round = 0; round < mostRounds; round += 1) {
      const ids = await search()
      if (ids.length === 0) return left
      for (const id of ids) left.push(...(await removeOne(scene, entryOf(id))))
    }
    const why = 'it is still listed after its removal'
    return [...left, ...(await search()).map((id) => ({ what: entryOf(id).what, why }))]
  } catch (error) {
    return [{ what: where, why: `it was not searched: ${messageOf(error)}` }]
  }
}

/** Removes all that can be removed. @returns what is left */
export async function cleanUp(scene: CleanupScene): Promise<LeftBehind[]> {
  const { api, ledger } = scene
  api.transport.isCleaningUp = true
  const left: LeftBehind[] = []
  for (const entry of ledger.open) left.push(...(await removeOne(scene, entry)))
  for (const tableId of ledger.sweptTables) {
    const rowOf = (rowId: string): Made => ({
      what: `row ${rowId}`,
      remove: 'deleteRow',
      params: { tableId, rowId },
    })
    left.push(...(await sweep(scene, `rows of table ${tableId}`, () => markedRows(scene, tableId), rowOf)))
  }
  // All tasks of a list that the run made are its own.
  for (const { id: listId } of ledger.lasting.filter(({ what }) => what === 'list')) {
    const query = { limit: 200 }
    const search = async () => idsOf((await api.succeed('listTasks', { params: { listId }, query })).tasks)
    const taskOf = (taskId: string): Made => ({
      what: `task ${taskId}`,
      remove: 'deleteTask',
      params: { taskId },
    })
    left.push(...(await sweep(scene, `tasks of list ${listId}`, search, taskOf)))
  }
  const lasting = ledger.lasting.map(({ what, id, name }) => ({
    what: `${what} ${id}${name === '' ? '' : ` (${name})`}`,
    why: `the API has no operation that deletes a ${what}`,
  }))
  return [...left, ...lasting]
}
