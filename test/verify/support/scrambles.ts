// The mocks to learn from: across all of them, every observable question has a non-default answer.
import { createWorkspaceMock, type AnswersInput, type Fixture, type WorkspaceMock } from 'workspace-api-mock'
import { questions } from '../../../src/contract/questions/register.ts'

export interface Scramble {
  readonly name: string
  /** Name of the key whose workspace is used for learning. */
  readonly key: string
  readonly write: boolean
  readonly answers: AnswersInput
  readonly fixture?: () => Fixture
}

/** The demo with a custom field of a type that the default answer does not include. */
function withRatings(): Fixture {
  const fixture = createWorkspaceMock().state() as any
  const list = fixture.workspaces[0].spaces[0].lists[0]
  list.fields = [...(list.fields ?? []), { id: 'fld_rating', name: 'Rating', type: 'rating' }]
  return fixture
}

export const scrambles: readonly Scramble[] = [
  {
    name: 'the second answers',
    key: 'master',
    write: true,
    answers: {
      rowShape: 'flat',
      emptyColumns: 'absent',
      taskPriority: { none: 9, low: 40, normal: 30, high: 20, urgent: 10 },
      taskReadExtras: true,
      customFieldOptions: 'label',
      timeEntryUsers: 'names',
      formTargetType: 'datatable_row',
      bulkErrors: 'numbered',
      bulkAllFailed: 200,
      bulkTotal: 'table',
      mutationBody: 'resource',
      unknownBodyFields: 'reject',
      contentType: 'strict',
      limitAboveMax: 'reject',
      columnNames: 'namesAndIds',
      unknownSortColumn: 'ignore',
      unknownFilter: 'reject',
      emptyNames: 'accept',
      unknownRowKeys: 'ignore',
      unknownCustomFields: 'ignore',
      typeChecks: 'dropdownLabels',
      attachmentWrites: 'reject',
      queryText: 'sensitive',
      jobTransitions: 'failedOnAnyChunk',
      jobTimeline: { queuedMs: 1500, chunkRows: 700, chunkMs: 1000 },
      jobChunkErrors: 'rejectChunk',
      lockedTable: 'jobs',
      statusTransitions: { active: ['active', 'done'], done: ['archived'], archived: [] },
      taskStatusFilter: 'idNameOrType',
      runningDuration: 'elapsed',
      startEntry: 'reject',
      stopEntry: 'latest',
      editRunning: 403,
      bulkInsertPerMinute: { pro: 7 },
      maxFileBytes: { pro: 70_000 },
    },
  },
  {
    name: 'the third answers',
    key: 'master',
    write: true,
    answers: {
      rowShape: 'flatInLists',
      bulkErrors: 'omit',
      mutationBody: 'empty',
      lockedTable: 'writes',
      startEntry: 'allow',
      unknownSortColumn: 'ignore',
      taskPriority: { none: -1, low: 4, normal: 3, high: 2, urgent: 1 },
      statusTransitions: { active: ['done'], done: ['active', 'archived'], archived: ['active'] },
      jobTransitions: 'failedOnAnyChunk',
      jobTimeline: { queuedMs: 2000, chunkRows: 2500, chunkMs: 500 },
      bulkInsertPerMinute: { pro: 350 },
      maxFileBytes: { pro: 900 },
    },
  },
  {
    name: 'a plan without jobs, a full list',
    key: 'business',
    write: true,
    answers: { planFeatures: { business: ['api'] }, listsLimit: { business: 1 }, columnNames: 'namesAndIds' },
  },
  {
    name: 'the scale plan',
    key: 'scale',
    write: true,
    answers: { scalePlan: { bulkRowsPerJob: 20_000, concurrentBulkJobs: 3 }, jobChunkErrors: 'rejectChunk' },
  },
  {
    name: 'no space left',
    key: 'free',
    write: true,
    answers: { spacesLimit: { free: 1 }, bulkAllFailed: 200, bulkInsertPerMinute: { free: 4 } },
  },
  {
    name: 'a month that is used up',
    key: 'business',
    write: false,
    answers: { requestsPerMonth: { business: 12 }, emptyColumns: 'null' },
  },
  {
    name: 'another type of custom field',
    key: 'master',
    write: false,
    fixture: withRatings,
    answers: { customFieldTypes: [...questions.customFieldTypes.default, 'rating'], rowShape: 'flat' },
  },
]

export function scrambled({ answers, fixture }: Scramble): WorkspaceMock {
  return createWorkspaceMock({ answers, advanceOnPoll: false, ...(fixture && { fixture: fixture() }) })
}

/** How a run reaches an in-process mock, on the mock's own clock. */
export const inProcess = (mock: WorkspaceMock, key: string) => ({
  baseUrl: mock.baseUrl,
  apiKey: mock.keys[key]!,
  fetch: mock.fetch,
  marker: 'verify-test',
  wait: async (ms: number) => mock.clock.advance(ms),
  nowMs: () => mock.clock.nowMs(),
})
