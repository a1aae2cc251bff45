// The saved states in IndexedDB, which can be missing, refuse to open or never respond.
import { createStore, del, get, promisifyRequest, type UseStore } from 'idb-keyval'
import type { Snapshot } from '../store/snapshot.ts'

/** How long IndexedDB has to respond: a blocked or broken one never does. */
const responseMs = 3000

let opened: UseStore | undefined

function store(): UseStore {
  // Also throws where reading `indexedDB` is forbidden, as in a sandboxed frame.
  if ((globalThis.indexedDB as IDBFactory | undefined) === undefined)
    throw new Error('this browser has no IndexedDB')
  return (opened ??= createStore('workspace-api-mock', 'snapshots'))
}

/** @throws {Error} if IndexedDB is missing, fails or does not respond in time */
async function runInTime<T>(run: (states: UseStore) => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`IndexedDB did not respond within ${String(responseMs / 1000)} s`)
    timer = setTimeout(() => reject(error), responseMs)
  })
  try {
    return await Promise.race([run(store()), late])
  } catch (error) {
    // It may open the next time.
    opened = undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}

export const readState = (name: string) => runInTime((states) => get<Snapshot>(name, states))

export const deleteState = (name: string) => runInTime((states) => del(name, states))

/** Commits at once: when a page is left, a transaction that is still open is lost. */
export const writeState = (name: string, snapshot: Snapshot) =>
  runInTime((states) =>
    states('readwrite', (snapshots) => {
      snapshots.put(snapshot, name)
      snapshots.transaction.commit()
      return promisifyRequest(snapshots.transaction)
    }),
  )
