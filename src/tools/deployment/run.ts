// Runs the steps, then removes what they created, however the run ends.
import { idsOf } from '../../contract/data/maps.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { quote } from '../../contract/text/quote.ts'
import type { Client } from './client.ts'
import { explainFailure, Interrupted, Stop } from './stop.ts'
import { toCreatedRecord, type CreatedRecord } from './ledger.ts'
import type { Reply } from './reply.ts'
import { assertRunnable, CannotRun, type Context, type RunOptions } from './start.ts'

/** Something that a run created and did not remove. */
export interface LeftBehind {
  /** Kind and id, such as `space spc_1`. */
  readonly what: string
  /** The reason, in words. */
  readonly why: string
}

const pageSize = 500
const mostPages = 40
/** Maximum searches of one table or list, in case a deployment does not remove what it claims to. */
const mostRounds = 3
/** How long to wait for a job's rows when the response with the job's id was lost. */
const lostJobMs = 5000

async function removeOne(api: Client, entry: CreatedRecord): Promise<LeftBehind[]> {
  const { what, remove, params } = entry
  let why: string | undefined
  try {
    const reply = await api.call(remove, { params })
    const isGone = reply.isSuccess || reply.status === 404
    if (!isGone) why = `${remove} responds with ${reply.summary}`
  } catch (error) {
    // The record stays in the ledger until the final clean-up.
    if (error instanceof Interrupted) throw error
    why = explainFailure(error)
  }
  api.ledger.forget(entry)
  return why === undefined ? [] : [{ what, why }]
}

/** Finds the records of a listing that have an id. @throws {Stop} if the response is not a listing */
function recordsIn(reply: Reply, name: string): (JsonObject & { readonly id: string })[] {
  const all = reply.field(name)
  const problem = reply.isSuccess ? `has no array ${quote(name)}` : `responds with ${reply.summary}`
  if (!reply.isSuccess || !Array.isArray(all)) throw new Stop(`the listing ${problem}`)
  return all.filter((one): one is JsonObject & { id: string } => isObject(one) && typeof one.id === 'string')
}

/** Finds rows with the marker, which the deployment may have stored in another form or case. */
async function findMarkedRows(
  api: Client,
  operation: 'listRows' | 'queryRows',
  tableId: string,
  marker: string,
): Promise<string[]> {
  const ids = new Set<string>()
  let read = 0
  for (let page = 1; page <= mostPages; page += 1) {
    const paging = { page, limit: pageSize }
    const ask = operation === 'listRows' ? { query: paging } : { json: paging }
    const reply = await api.call(operation, { params: { tableId }, ...ask })
    const rows = recordsIn(reply, 'rows')
    for (const row of rows)
      if (JSON.stringify(row).toLowerCase().includes(marker.toLowerCase())) ids.add(row.id)
    read += rows.length
    if (rows.length === 0 || read === reply.field('total')) break
  }
  return [...ids]
}

/** Searches with listRows, or with queryRows if that fails. @throws {Stop} if both fail */
async function searchRows(api: Client, tableId: string, marker: string): Promise<string[]> {
  let why: string | undefined
  for (const operation of ['listRows', 'queryRows'] as const)
    try {
      return await findMarkedRows(api, operation, tableId, marker)
    } catch (error) {
      if (error instanceof Interrupted) throw error
      why ??= explainFailure(error)
    }
  throw new Stop(
    `rows can be read with neither listRows nor queryRows (${why ?? ''}); rows with text that begins with ${quote(marker)} belong to this run`,
  )
}

/** Removes what a search finds: once or, at the end of the run, until it finds nothing. */
async function sweep(
  api: Client,
  where: string,
  search: () => Promise<string[]>,
  madeOf: (id: string) => CreatedRecord,
  isFinal: boolean,
): Promise<LeftBehind[]> {
  const left: LeftBehind[] = []
  try {
    for (let round = 0; round < mostRounds; round += 1) {
      const ids = await search()
      if (ids.length === 0) return left
      for (const id of ids) left.push(...(await removeOne(api, madeOf(id))))
      if (!isFinal) return []
    }
    const why = 'it is still listed after it was removed'
    return [...left, ...(await search()).map((id) => ({ what: madeOf(id).what, why }))]
  } catch (error) {
    if (error instanceof Interrupted) throw error
    return [{ what: where, why: `the search failed: ${explainFailure(error)}` }]
  }
}

/**
 * Removes records the run has made so far, including rows and tasks whose ids it never learned.
 * At the end of the run, searches all its tables and lists until nothing is found.
 */
export async function removeMade({ api, marker, wait }: Context, isFinal: boolean): Promise<LeftBehind[]> {
  const { ledger } = api
  const left: LeftBehind[] = []
  for (let made = ledger.findNext(isFinal); made; made = ledger.findNext(isFinal))
    left.push(...(await removeOne(api, made)))
  if (ledger.unsearched.hasLostJob) await wait(lostJobMs)
  for (const tableId of isFinal ? ledger.sweptTables : ledger.unsearched.tables) {
    const search = () => searchRows(api, tableId, marker)
    const rowOf = (id: string) => toCreatedRecord('createRow', { tableId }, id)
    left.push(...(await sweep(api, `rows of table ${tableId}`, search, rowOf, isFinal)))
  }
  for (const listId of ledger.ownLists.filter((id) => isFinal || ledger.unsearched.lists.has(id))) {
    const ask = { params: { listId }, query: { limit: 200 } }
    const search = async () => idsOf(recordsIn(await api.call('listTasks', ask), 'tasks'))
    const taskOf = (id: string) => toCreatedRecord('createTask', { listId }, id)
    left.push(...(await sweep(api, `tasks of list ${listId}`, search, taskOf, isFinal)))
  }
  ledger.skipSearch()
  return left
}

/** Adds spaces of this run whose ids no response gave to the ledger, with their lists. */
async function findLostSpaces({ api, marker }: Context): Promise<LeftBehind[]> {
  if (!api.ledger.hasLostSpace) return []
  try {
    for (const space of recordsIn(await api.call('listSpaces'), 'spaces')) {
      const isMarked = String(space.name).toLowerCase().includes(marker.toLowerCase())
      if (isMarked || api.ledger.lasting.has(space.id)) api.ledger.adopt(space)
    }
    return []
  } catch (error) {
    if (error instanceof Interrupted) throw error
    const what = `any spaces and lists whose names begin with ${quote(marker)}`
    return [{ what, why: `the search failed: ${explainFailure(error)}` }]
  }
}

async function cleanUp(context: Context): Promise<LeftBehind[]> {
  const { ledger, transport } = context.api
  transport.isCleaningUp = true
  const left = [...(await findLostSpaces(context)), ...(await removeMade(context, true))]
  for (const { what, id, name } of ledger.lasting.values())
    left.push({
      what: `${what} ${id}${name === '' ? '' : ` (${name})`}`,
      why: `the API has no operation that deletes a ${what}`,
    })
  return left
}

/** @throws {CannotRun} if there is no deployment of this API, or it rejects the key */
export async function runSteps(
  context: Context,
  steps: readonly { readonly name: string; readonly take: () => Promise<void> }[],
  { onProgress }: RunOptions,
) {
  const total = steps.length
  let taken = 0
  let interruption: Interrupted | undefined
  let leftBehind: readonly LeftBehind[] = []
  try {
    await assertRunnable(context.api)
    for (const { name, take } of steps) {
      onProgress?.({ done: taken, total, next: name })
      await take()
      taken += 1
    }
  } catch (error) {
    if (error instanceof CannotRun) throw error
    const why = explainFailure(error)
    interruption =
      error instanceof Interrupted
        ? error
        : new Interrupted(`the run cannot continue: ${why}`, { cause: error })
  } finally {
    if (context.mayWrite) {
      onProgress?.({ done: taken, total, next: 'cleaning up' })
      leftBehind = await cleanUp(context)
    }
  }
  return { interruption, leftBehind }
}
