// The rules of forms and their submissions.
import type { Form } from '../../contract/forms.ts'
import type { SuccessFor } from '../../contract/index.ts'
import type { Ask } from '../engine/client.ts'
import type { Context } from '../engine/context.ts'
import {
  assumed,
  contract,
  Drift,
  expectSame,
  expectThat,
  type Rule,
  rulesOf,
  type Source,
  Unreachable,
} from '../engine/rule.ts'

const part = contract('Forms')
const limits = contract('Limits')

type Page = SuccessFor<'listFormSubmissions'>

function formRule(
  operation: 'listForms' | 'getForm',
  id: string,
  source: Source,
  says: string,
  check: (context: Context) => Promise<unknown>,
): Rule {
  return { id, operation, source, needs: 'read', says, check }
}

/** The items of field_config that have the shape of the sample. */
const isSampleItem = (item: unknown) => {
  const { id, label, type, required } = Object(item) as Record<string, unknown>
  return [id, label, type].every((text) => typeof text === 'string') && typeof required === 'boolean'
}

const forms: readonly Rule[] = [
  formRule(
    'listForms',
    'forms-once',
    part,
    'lists every form once, with a slug of its own',
    async ({ seen }) => {
      const all = await seen.forms()
      for (const values of [all.map(({ id }) => id), all.map(({ slug }) => slug)])
        expectSame('ids and slugs', values, [...new Set(values)])
    },
  ),
  formRule(
    'listForms',
    'targets',
    contract('Form'),
    'a form writes to a list or a table',
    async ({ seen, answers }) => {
      await seen.someForm()
      const tables = new Set((await seen.tables()).map(({ id }) => id))
      for (const { target_type, target_id } of await seen.forms()) {
        expectThat(
          ['task', answers.formTargetType].includes(target_type),
          `task or ${answers.formTargetType}`,
          target_type,
          assumed('formTargetType'),
        )
        if (target_type !== 'task') expectThat(tables.has(target_id), 'the id of a table', target_id)
      }
    },
  ),
  formRule(
    'listForms',
    'counts',
    contract('Form'),
    'submission_count is the lifetime total: no less than what is listed',
    async ({ seen }) => {
      const { id, submission_count } = await seen.busiestForm()
      const { length } = await seen.submissions(id)
      expectThat(submission_count >= length, `${String(length)} or more`, submission_count)
    },
  ),
  formRule(
    'getForm',
    'as-listed',
    assumed('formStructure'),
    'answers a form as it is listed, under the key form',
    async ({ api, seen }) => {
      await seen.someForm()
      for (const form of (await seen.forms()).slice(0, 3))
        expectSame('form', (await api.succeed('getForm', { params: { formId: form.id } })).form, form)
    },
  ),
  formRule(
    'getForm',
    'items',
    contract('Form'),
    'items of field_config have id, label, type and required',
    async ({ api, seen }) => {
      const { id } = await seen.someForm()
      const { form } = await api.succeed('getForm', { params: { formId: id } })
      for (const item of form.field_config) expectThat(isSampleItem(item), 'id, label, type, required', item)
    },
  ),
]

interface Submissions {
  readonly context: Context
  readonly form: Form
  readonly page: (query?: Ask['query']) => Promise<Page>
}

const submissionRule = rulesOf('listFormSubmissions', 'read', async (context): Promise<Submissions> => {
  const form = await context.seen.busiestForm()
  const page = (query: Ask['query'] = '') =>
    context.api.succeed('listFormSubmissions', { params: { formId: form.id }, query })
  return { context, form, page }
})

const idsOf = ({ submissions }: Page) => submissions.map(({ id }) => id)

/** A page size or offset that is out of range, or none. Assumption: limitAboveMax */
const outOfRange = (id: string, query: string, limit: number, offset: number): Rule =>
  submissionRule(
    id,
    assumed('limitAboveMax'),
    `takes ${query} as question limitAboveMax says`,
    async ({ context, form, page }) => {
      if (context.answers.limitAboveMax === 'reject') {
        await context.api.expect('listFormSubmissions', 400, { params: { formId: form.id }, query })
        return
      }
      const got = await page(query)
      expectSame('limit and offset', [got.limit, got.offset], [limit, offset])
    },
  )

/** All moments at which submissions were made, ascending. */
async function moments({ context, form }: Submissions): Promise<number[]> {
  const all = (await context.seen.submissions(form.id)).map(({ created_at }) => created_at)
  const distinct = [...new Set(all)].sort((a, b) => a - b)
  if (distinct.length < 2) throw new Unreachable('no form has submissions of two moments')
  return distinct
}

const submissions: readonly Rule[] = [
  submissionRule(
    'default-page',
    limits,
    'answers 50 submissions from the first on unless asked otherwise',
    async ({ form, page }) => {
      const got = await page()
      expectSame('limit and offset', [got.limit, got.offset], [50, 0])
      expectThat(
        got.submissions.length <= Math.min(50, form.submission_count),
        'no more than there were',
        got.submissions.length,
      )
    },
  ),
  submissionRule('limit', part, 'limit sets the page size', async ({ page }) => {
    const got = await page({ limit: 1 })
    expectSame('limit and number of submissions', [got.limit, got.submissions.length], [1, 1])
  }),
  submissionRule('largest-page', limits, 'a page can have 200 submissions', async ({ page }) =>
    expectSame('limit', (await page({ limit: 200 })).limit, 200),
  ),
  submissionRule('offset', part, 'offset skips submissions', async ({ page }) => {
    const whole = idsOf(await page({ limit: 4 }))
    if (whole.length < 2) throw new Unreachable('no form has two submissions')
    const rest = await page({ limit: 3, offset: 1 })
    expectSame('offset', rest.offset, 1)
    expectSame('ids', idsOf(rest), whole.slice(1))
  }),
  outOfRange('limit-above-maximum', 'limit=201', 200, 0),
  outOfRange('limit-no-number', 'limit=many', 50, 0),
  submissionRule('since', part, 'since keeps the submissions created after it', async (scene) => {
    const [first = 0] = await moments(scene)
    const all = await scene.context.seen.submissions(scene.form.id)
    const got = await scene.page({ since: first, limit: 200 })
    const wanted = all.filter(({ created_at }) => created_at > first).map(({ id }) => id)
    expectSame(`submissions after ${String(first)}`, idsOf(got), wanted)
    const earlier = await scene.page({ since: first - 1, limit: 200 })
    expectSame(
      'all of them',
      idsOf(earlier),
      all.map(({ id }) => id),
    )
  }),
  submissionRule('since-pages', part, 'limit and offset page what since keeps', async (scene) => {
    const [first = 0] = await moments(scene)
    const whole = idsOf(await scene.page({ since: first - 1, limit: 200 }))
    if (whole.length < 3) throw new Unreachable('no form has three submissions')
    const got = await scene.page({ since: first - 1, limit: 1, offset: 1 })
    expectSame('ids', idsOf(got), whole.slice(1, 2))
  }),
  submissionRule('past-the-end', part, 'an offset past the last submission answers none', async ({ page }) =>
    expectSame('submissions', (await page({ offset: 1_000_000 })).submissions, []),
  ),
  submissionRule('since-last', part, 'since the last one there are none', async (scene) => {
    const last = (await moments(scene)).at(-1) ?? 0
    expectSame('submissions', (await scene.page({ since: last })).submissions, [])
  }),
  submissionRule('order', assumed('listOrder'), 'lists the oldest first', async (scene) => {
    const all = (await scene.context.seen.submissions(scene.form.id)).map(({ created_at }) => created_at)
    expectSame(
      'moments',
      all,
      all.toSorted((a, b) => a - b),
    )
  }),
  submissionRule(
    'created-entity',
    contract('FormSubmission'),
    'says what it created by the target of its form',
    async ({ context, form }) => {
      const wanted = form.target_type === 'task' ? 'task' : 'datatable_row'
      for (const { created_entity_type } of await context.seen.submissions(form.id))
        expectSame('created_entity_type', created_entity_type, wanted)
    },
  ),
  submissionRule(
    'created-exists',
    contract('FormSubmission'),
    'created_entity_id names a task or a row of the target',
    async ({ context: { api, seen }, form }) => {
      const ids = (await seen.submissions(form.id)).map((one) => one.created_entity_id)
      const isTask = form.target_type === 'task'
      // Some may have been deleted since.
      for (const id of ids) {
        const params = isTask ? { taskId: id } : { tableId: form.target_id, rowId: id }
        if ((await api.call(isTask ? 'getTask' : 'getRow', { params })).isSuccess) return
      }
      throw new Drift('one id at least that can be read', ids.join(', '))
    },
  ),
  submissionRule(
    'data-keys',
    assumed('formStructure'),
    'data is keyed by the ids of the items of the form',
    async ({ context, form }) => {
      const ids = form.field_config.map((item) => (Object(item) as { id?: unknown }).id)
      for (const { data } of await context.seen.submissions(form.id)) {
        const keys = Object.keys(data)
        expectThat(
          keys.length === 0 || keys.some((key) => ids.includes(key)),
          `keys of ${ids.join(', ')}`,
          keys,
        )
      }
    },
  ),
]

export const formRules: readonly Rule[] = [...forms, ...submissions]
