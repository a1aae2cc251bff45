// For every open question with several answers: the other answers, and how to tell them apart from outside. `learn`
// observes the same in a deployment; questions that no deployment reveals have their own observation.
import {
  questions,
  type Answers,
  type JsonValue,
  type QuestionId,
} from '../../../../src/contract/questions/register.ts'
import { createContext } from '../../../../src/tools/deployment/start.ts'
import { Judge } from '../../../../src/tools/verify/findings/judge.ts'
import { observeAnswer, observers } from '../../../../src/tools/verify/learn/learn.ts'
import { Learner } from '../../../../src/tools/verify/learn/learner.ts'
import { messageOf } from '../../../../src/contract/text/format.ts'
import type { Api, Control } from '../../../behaviour/support/harness.ts'

export interface Difference {
  /** The answers other than the default, in the order of the question's meanings. */
  readonly others: readonly JsonValue[]
  /** What a client sees; it differs for each answer. By default, what `learn` observes. */
  readonly look?: (api: Api, control: Control) => Promise<unknown>
  /** The key of a workspace whose plan shows the difference. */
  readonly key?: string
}

/** Questions that are not fixed. */
export type SwitchableId = {
  [Id in keyof Answers]: Answers[Id] extends 'fixed' ? never : Id
}[keyof Answers]

const scoped = { key: 'wm_test_scoped' }

/** A question without an entry fails the type check. */
export const differences: Readonly<Record<SwitchableId, Difference>> = {
  rowShape: { others: ['flat', 'flatInLists'] },
  emptyColumns: { others: ['absent'] },
  taskPriority: { others: [{ none: 10, low: 8, normal: 6, high: 4, urgent: 2 }] },
  taskReadExtras: { others: [true] },
  customFieldTypes: {
    others: [[...questions.customFieldTypes.default, 'rating']],
    async look(_, control) {
      const state = JSON.stringify(await control.state())
      const rating = { id: 'fld_stars', name: 'Stars', type: 'rating', readonly: false }
      const withRating = state.replace(/("name":"Ideas".*?"fields":)\[\]/, `$1[${JSON.stringify(rating)}]`)
      return control.loadState(JSON.parse(withRating)).then(
        () => 'taken',
        () => 'refused',
      )
    },
  },
  customFieldOptions: { others: ['label'] },
  timeEntryUsers: { others: ['names'] },
  formTargetType: { others: ['datatable_row'] },
  bulkErrors: { others: ['numbered', 'omit'] },
  bulkAllFailed: { others: [200] },
  bulkTotal: { others: ['table'] },
  mutationBody: { others: ['resource', 'empty'] },
  unknownBodyFields: { others: ['reject'] },
  contentType: { others: ['strict'] },
  limitAboveMax: { others: ['reject'] },
  columnNames: { others: ['namesAndIds'] },
  unknownSortColumn: { others: ['ignore'] },
  unknownFilter: { others: ['reject'] },
  emptyNames: { others: ['accept'] },
  customDataPatch: {
    others: ['replace'],
    async look(api) {
      await api.patch('/tasks/tsk_full', { custom_data: { fld_number: 4 } })
      return (await api.get('/tasks/tsk_full')).at('custom_data')
    },
  },
  unknownRowKeys: { others: ['ignore'] },
  unknownCustomFields: { others: ['ignore'] },
  typeChecks: { others: ['dropdownLabels'] },
  attachmentWrites: { others: ['reject'] },
  queryText: { others: ['sensitive'] },
  jobTransitions: { others: ['failedOnAnyChunk'] },
  jobTimeline: { others: [{ queuedMs: 1000, chunkRows: 2, chunkMs: 2000 }] },
  jobChunkErrors: { others: ['rejectChunk'] },
  lockedTable: { others: ['jobs', 'writes'] },
  statusTransitions: { others: [{ active: ['active'] }] },
  privateById: { others: ['visible'], look: async (api) => (await api.get('/lists/lst_private')).status },
  taskStatusFilter: { others: ['idNameOrType'] },
  runningDuration: { others: ['elapsed'] },
  startEntry: { others: ['reject', 'allow'] },
  stopEntry: { others: ['latest'] },
  editRunning: { others: [403] },
  scopes: {
    others: [{ listForms: 'forms:list' }],
    look: async (api) => (await api.get('/forms', scoped)).status,
  },
  ownComment: {
    others: ['member'],
    look: async (api) =>
      (await api.patch('/tasks/tsk_full/comments/cmt_rich', { content: 'x' }, scoped)).status,
  },
  bulkInsertPerMinute: { others: [{ pro: 1 }] },
  requestsPerMonth: {
    others: [{ pro: 1 }],
    look: async (api) => [(await api.get('/me')).status, (await api.get('/me')).status],
  },
  maxFileBytes: { others: [{ pro: 3 }] },
  scalePlan: { others: [{ bulkRowsPerJob: 1 }], key: 'wm_test_scale' },
  planFeatures: { others: [{ free: [] }], key: 'wm_test_free' },
  spacesLimit: { others: [{ free: 1 }], key: 'wm_test_free' },
  listsLimit: { others: [{ free: 1 }], key: 'wm_test_free' },
  bodyBytes: { others: [10], look: async (api) => (await api.post('/spaces', { name: 'Longer' })).status },
}

/** What `learn` observes about a question, or why it observes nothing, on the mock's clock. */
async function observe(question: QuestionId, apiKey: string, api: Api, control: Control): Promise<unknown> {
  const observer = observers.find((one) => one.question === question)
  if (!observer) throw new Error(`${question} is not observed and has no look`)
  let nowMs = 0
  const wait = async (ms: number) => {
    nowMs += ms
    await control.advance(ms)
  }
  const options = { baseUrl: api.url(''), fetch: api.fetch, apiKey, write: true, wait, nowMs: () => nowMs }
  let judge!: Judge
  const context = createContext(options, 'learn', (answers) => (judge = new Judge(answers)))
  const learner = new Learner(context, judge)
  learner.known = { jobChunkErrors: 'keepValid' }
  await learner.begin()
  const learned = observeAnswer(observer.probes, learner)
  return learned.then(({ answer }) => answer, messageOf)
}

/** What a client sees of a question; it differs for each answer. */
export function lookAt(question: SwitchableId, api: Api, control: Control): Promise<unknown> {
  const { look, key = 'wm_test_master' } = differences[question]
  return look ? look(api, control) : observe(question, key, api, control)
}
