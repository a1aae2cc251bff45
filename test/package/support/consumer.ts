// What a user writes against the package's types; types.test.ts checks it against the packed declarations.
import { setupServer } from 'msw/node'
import { expect } from 'vitest'
import {
  AnswerError,
  createWorkspaceMock,
  defineFixture,
  FixtureError,
  NetworkFault,
  type Answers,
  type Comment,
  type EventMap,
  type Finding,
  type Job,
  type JournalEntry,
  type List,
  type MockOptions,
  type OperationId,
  type QuestionId,
  type QuestionRecord,
  type RequestBody,
  type ResponseBody,
  type Row,
  type Space,
  type Task,
  type WorkspaceMock,
} from 'workspace-api-mock'
import { requestHandlers } from 'workspace-api-mock/msw'
import { serve, type RunningServer } from 'workspace-api-mock/node'
import { openApiDocument, type OpenApiDocument } from 'workspace-api-mock/openapi'
import {
  CannotRun,
  learn,
  verify,
  type VerifyFinding,
  type Learned,
  type LearnOptions,
  type VerifyOptions,
  type VerifyReport,
} from 'workspace-api-mock/verify'
import { test, type ApiCall } from 'workspace-api-mock/vitest'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <T extends true>(value?: T) => value

const options: MockOptions = {
  fixture: 'demo',
  plan: 'pro',
  limits: { spaces: null },
  answers: { rowShape: 'flat' },
}
export const mock: WorkspaceMock = createWorkspaceMock(options)
export const server = setupServer(...mock.handlers, ...requestHandlers(mock))

// Answers are plain types, not any.
same<Equal<Answers['rowShape'], 'data' | 'flat' | 'flatInLists'>>()
same<Equal<Answers['taskReadExtras'], boolean>>()
same<Equal<Answers['jobTimeline']['chunkMs'], number>>()
same<Equal<QuestionRecord['id'], QuestionId>>()
same<'getIdentity' extends OperationId ? true : false>()

// @ts-expect-error no such plan
createWorkspaceMock({ plan: 'gold' })
// @ts-expect-error no such answer
createWorkspaceMock({ answers: { rowShape: 'round' } })
// @ts-expect-error no such operation
mock.requests({ operation: 'getNothing' })

const fixture = defineFixture({
  workspaces: [
    {
      keys: [{ key: 'k', name: 'mine' }],
      members: [{ name: 'Ada' }],
      tables: [
        {
          name: 'Orders',
          columns: [{ id: 'col_n', name: 'N', type: 'number' }],
          rows: [{ data: { col_n: 1 } }],
        },
      ],
    },
  ],
})
export const own = createWorkspaceMock({ fixture, clock: 'manual' })
const stop = own.events.on('row.inserted', (event) => {
  same<Equal<typeof event, EventMap['row.inserted']>>()
  return event.row.id.length
})
stop()
own.clock.advance('30s')
own.fault({ operation: 'getTask', status: 503, times: 2 }).remove()
export const findings: readonly Finding[] = own.report({ assumptions: true })
export const journal: readonly JournalEntry[] = own.requests({ status: 200 })
export const errors = [AnswerError, FixtureError, NetworkFault]
own.restore(own.snapshot())

// Keys named in the fixture's type are defined, even with noUncheckedIndexedAccess.
const demo = createWorkspaceMock({ clock: 'manual' })
same<Equal<typeof demo.keys.master, string>>()
same<Equal<typeof own.keys.mine, string>>()
// @ts-expect-error a key that the fixture does not name
export const misspelled = demo.keys.mastr
const any: WorkspaceMock = demo
export const seededKey: string | undefined = any.keys.seeded
// @ts-expect-error a key that nobody names may be missing
export const missingKey: string = any.keys.seeded

// The resources as read, and what each operation takes and returns.
export const titleOf = (task: Task): string => task.title
export const valueOf = (row: Row): unknown => row.data.col_n
export const progressOf = ({ metadata }: Job): number => metadata.progress
export const authorOf = ({ author_name }: Comment): string => author_name
export const names = (lists: List[], spaces: Space[]): string[] =>
  [...lists, ...spaces].map(({ name }) => name)
export const request: RequestBody<'createTask'> = { title: 'T', priority: 'high' }
same<Equal<ResponseBody<'submitInsertJob'>['status'], 'queued'>>()
same<Equal<ResponseBody<'listRows'>['rows'], Row[]>>()
same<Equal<ResponseBody<'deleteTask'>, { success: true }>>()
// @ts-expect-error no such priority
export const wrongRequest: RequestBody<'createTask'> = { title: 'T', priority: 'huge' }

// @ts-expect-error no operation without a body answers 413
own.fault({ operation: 'getTask', status: 413 })
// @ts-expect-error no such length of time
own.clock.advance('30 days')
own.seed({ tables: [{ id: 'tbl', rows: [{ data: { col_n: 2 } }] }] })
// @ts-expect-error a task has no such field
own.seed({ tasks: [{ titel: 'T' }] })
own.loadState(own.state())
// @ts-expect-error a fixture has workspaces
own.loadState({ name: 'none' })

export async function served(): Promise<RunningServer> {
  const running = await serve(mock, { port: 0 })
  await running.close()
  return running
}

export const document: OpenApiDocument = openApiDocument({ baseUrl: 'https://x.test/v1' })
export const title: string = document.info.title

const deployment: VerifyOptions & LearnOptions = {
  baseUrl: mock.baseUrl,
  apiKey: 'k',
  fetch: mock.fetch,
  write: true,
  signal: AbortSignal.timeout(1000),
  onProgress: ({ done, total, next }) => console.log(done / total, next.length),
}

export async function judged(): Promise<VerifyReport> {
  const learned: Learned = await learn(deployment)
  own.setAnswers(learned.answers)
  const report = await verify({ ...deployment, answers: learned.answers })
  const drifts: VerifyFinding[] = report.findings.filter(({ outcome }) => outcome === 'drift')
  same<Equal<VerifyFinding['outcome'], 'pass' | 'drift' | 'inconclusive'>>()
  same<Equal<VerifyFinding['operation'], OperationId | 'general'>>()
  same<Equal<Learned['evidence'][number]['question'], QuestionId>>()
  if (drifts.length > 0) throw new CannotRun('drift')
  return report
}
// @ts-expect-error the key is missing
void verify({ baseUrl: mock.baseUrl })
// @ts-expect-error no such answer
void verify({ ...deployment, answers: { rowShape: 'round' } })

test('types of the helper', async ({ mock: given, call }) => {
  same<Equal<typeof call, ApiCall>>()
  const me = await call('getIdentity')
  const line = await call('GET /tasks/t', { as: 'master' })
  same<Equal<typeof me.body.workspace.plan, 'free' | 'pro' | 'business' | 'scale'>>()
  const task = await call('getTask', { params: { taskId: 't' } })
  const assignees: { id: string; name: string }[] = task.body.assignees
  // @ts-expect-error a parameter is missing
  await call('getTask', { params: {} })
  // @ts-expect-error the operation needs a body
  await call('createTask', { params: { listId: 'l' } })
  // @ts-expect-error the operation needs a file
  await call('uploadTaskAttachment', { params: { taskId: 't' } })
  const changed = await call('updateTask', { params: { taskId: 't' }, body: { title: 'T' } })
  same<Equal<typeof changed.body, { success: true }>>()
  same<Equal<typeof given.keys.master, string>>()
  // @ts-expect-error the body has no such priority
  await call('createTask', { params: { listId: 'l' }, body: { title: 'T', priority: 'huge' } })
  // @ts-expect-error no such operation
  await call('getTsk', { params: { taskId: 't' } })
  // @ts-expect-error the operation needs parameters
  await call('getTask')
  const rows = await call('listRows', { params: { tableId: 't' }, query: { limit: 2, Status: 'open' } })
  same<Equal<(typeof rows.body.rows)[number], Row>>()
  same<Equal<typeof line.body, unknown>>()
  const bytes = await call('downloadTaskAttachment', { params: { taskId: 't', attachmentId: 'a' } })
  same<Equal<typeof bytes.body.byteLength, number>>()
  expect(given).toHaveRequested('getTask', { times: assignees.length })
  expect(given).toHaveCleanReport()
})
test.extend({ strict: true, mockOptions: { plan: 'free' }, passthrough: ['http://127.0.0.1:*'] })
