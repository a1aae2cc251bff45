// Careless clients and their careful counterparts: explore finds something in the first but not in the second.
import { expect, test } from 'vitest'
import { createWorkspaceMock, type ExploreContext, type Family, type WorkspaceMock } from 'workspace-api-mock'
import { apiOf, listOf } from './support/clients.ts'

type Context = ExploreContext<WorkspaceMock>
type Scenario = (context: Context) => unknown

const orders = '/datatables/tbl_orders'
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ col_customer: `Customer ${index}` }))

/** Reads the tasks of a list in small pages, once or until nothing new turns up, and describes each. */
const describeTasks = (isRepeated: boolean) => async (context: Context) => {
  const api = apiOf(context)
  const ids = new Set<string>()
  const read = async () => {
    const before = ids.size
    for (let offset = 0; ; offset += 2) {
      const { tasks } = await api('GET', `/lists/${listOf(context.mock)}/tasks?limit=2&offset=${offset}`)
      for (const { id } of tasks) ids.add(id)
      if (tasks.length < 2) return ids.size > before
    }
  }
  while ((await read()) && isRepeated);
  for (const id of ids)
    await api('PATCH', `/tasks/${id}`, { description: 'Read' }).catch((error: unknown) => {
      if (!String(error).endsWith('404')) throw error
    })
}

/** Imports rows after reading the table; `whenRefused` decides what happens if they are refused. */
const importRows = (whenRefused: (error: unknown) => unknown) => async (context: Context) => {
  const api = apiOf(context)
  await api('GET', `${orders}/rows?limit=1`)
  await api('POST', `${orders}/rows/bulk`, { rows: rows(3) }).catch(whenRefused)
}

type Fallback = (api: ReturnType<typeof apiOf>, error: unknown) => unknown
const inBulk: Fallback = async (api) => {
  await api('POST', `${orders}/rows/bulk`, { rows: rows(300).slice(0, 250) })
  await api('POST', `${orders}/rows/bulk`, { rows: rows(300).slice(250) })
}
const ignore = () => undefined
const reject = (error: unknown) => {
  throw error
}
const rejectWith: Fallback = (_, error) => reject(error)

/** Imports rows with a job; `whenLate` decides what happens after half a minute. */
const waitForJob = (whenLate: Fallback) => async (context: Context) => {
  const api = apiOf(context)
  const { job_id } = await api('POST', `${orders}/jobs/insert`, { rows: rows(300) })
  for (let polls = 1; ; polls++) {
    const { status } = await api('GET', `/jobs/${job_id}`)
    if (status === 'done' || status === 'failed') return status
    await context.sleep(1000)
    if (polls === 30 && (await whenLate(api, new Error('the job takes too long'))) !== 'wait on')
      return status
  }
}

test.for<[name: string, family: Family, careless: Scenario, found: string, ...careful: Scenario[]]>([
  ['item on the page deleted', 'concurrency', describeTasks(false), 'differs', describeTasks(true)],
  ['key suspended', 'concurrency', importRows(ignore), 'missing', importRows(reject)],
  [
    'job takes 10 minutes',
    'outcomes',
    waitForJob(inBulk),
    'twice',
    waitForJob(rejectWith),
    waitForJob(() => 'wait on'),
  ],
])(
  'explore finds by "%s" what a careless client does',
  async ([name, family, careless, found, ...careful]) => {
    const cellsOf = async (scenario: Scenario) => {
      const { matrix } = await createWorkspaceMock().explore(scenario, { families: [family] })
      const cells = matrix.rows.flatMap(
        ({ operation, cells: all }) => all[operation === null ? 'whole run' : name] ?? [],
      )
      return new Set(cells)
    }
    expect(await cellsOf(careless)).toContain(found)
    for (const scenario of careful) expect(await cellsOf(scenario)).toEqual(new Set(['ok']))
  },
)
