// The rules of forms and their submissions.
import { perPage } from '../../contract/limits.ts'
import type { Ask } from '../engine/client.ts'
import { expectOnce, expectSame, expectThat } from '../engine/expect.ts'
import { Drift, Unreachable } from '../engine/drift.ts'
import { readRules, rulesOn, type Context } from '../engine/rule.ts'
import { clamped, pagingRules } from './paging.ts'
import { idsOf } from '../../contract/data/maps.ts'

/** The items of field_config that have the shape of the sample. */
const isSampleItem = (item: unknown) => {
  const { id, label, type, required } = Object(item) as Record<string, unknown>
  return [id, label, type].every((text) => typeof text === 'string') && typeof required === 'boolean'
}

const listedOnce = readRules('contract, Forms', {
  'listForms/forms-once: lists every form once, with a slug of its own': async ({ seen }) => {
    const all = await seen.forms()
    for (const values of [idsOf(all), all.map(({ slug }) => slug)]) expectOnce('ids and slugs', values)
  },
})

/** The forms of the workspace, one at least. */
const ofForms = rulesOn('read', async (context) => {
  const first = await context.seen.someForm()
  return { ...context, api: context.api.at({ formId: first.id }), forms: await context.seen.forms() }
})

const forms = ofForms('contract, Form', {
  'listForms/targets: a form writes to a list or a table': async ({ seen, answers, forms }) => {
    const tables = idsOf(await seen.tables())
    const types = ['task', answers.formTargetType]
    for (const { target_type, target_id } of forms) {
      const isKnown = types.includes(target_type)
      expectThat(isKnown, types.join(' or '), target_type, 'assumption formTargetType')
      if (target_type !== 'task') expectThat(tables.includes(target_id), 'the id of a table', target_id)
    }
  },
  'listForms/counts: submission_count is the lifetime total: no less than what is listed': async (c) => {
    const { id, submission_count } = await c.seen.busiestForm()
    const { length } = await c.seen.submissions(id)
    expectThat(submission_count >= length, `${String(length)} or more`, submission_count)
  },
  'getForm/as-listed: returns a form as it is listed, under the key form (assumption formStructure)': async (
    c,
  ) => {
    for (const form of c.forms.slice(0, 3))
      expectSame('form', (await c.api.succeed('getForm', { params: { formId: form.id } })).form, form)
  },
  'listForms/times: a form is not changed before it is made': ({ forms }) => {
    for (const { created_at, updated_at } of forms)
      expectThat(updated_at >= created_at, 'an updated_at not before created_at', [created_at, updated_at])
  },
  'getForm/items: items of field_config have id, label, type and required': async ({ api }) => {
    const { form } = await api.succeed('getForm')
    for (const item of form.field_config) expectThat(isSampleItem(item), 'id, label, type, required', item)
  },
})

/** The form with the most submissions, up to 200 of them, and their pages. */
async function busiestForm(context: Context) {
  const form = await context.seen.busiestForm()
  const api = context.api.at({ formId: form.id })
  const page = async (query: Ask['query'] = '') => {
    const got = await api.succeed('listFormSubmissions', { query })
    return { ...got, ids: idsOf(got.submissions) }
  }
  return { ...context, api, form, all: () => context.seen.submissions(form.id), page }
}
type Submissions = Awaited<ReturnType<typeof busiestForm>>
const submissionRules = rulesOn('read', busiestForm)

const createdAt = async ({ all }: Submissions) => (await all()).map(({ created_at }) => created_at)

/** The first and last moment at which submissions were made. */
async function moments(scene: Submissions): Promise<{ first: number; last: number }> {
  const times = await createdAt(scene)
  const first = times.reduce((least, time) => Math.min(least, time), Infinity)
  const last = times.reduce((most, time) => Math.max(most, time), -Infinity)
  if (first >= last) throw new Unreachable('no form has submissions of two moments')
  return { first, last }
}

const paging = submissionRules('contract, Forms', {
  'listFormSubmissions/limit-no-number: takes limit=many as question limitAboveMax says': clamped(
    'limit=many',
    perPage,
  ),
  'listFormSubmissions/since: since keeps the submissions created after it': async (scene) => {
    const { first } = await moments(scene)
    const all = await scene.all()
    const got = await scene.page({ since: first, limit: 200 })
    const wanted = all.filter(({ created_at }) => created_at > first)
    expectSame(`submissions after ${String(first)}`, got.ids, idsOf(wanted))
    const earlier = await scene.page({ since: first - 1, limit: 200 })
    expectSame('all of them', earlier.ids, idsOf(all))
  },
  'listFormSubmissions/since-pages: limit and offset page what since keeps': async (scene) => {
    const since = (await moments(scene)).first - 1
    const whole = (await scene.page({ since, limit: 200 })).ids
    if (whole.length < 3) throw new Unreachable('no form has three submissions')
    const got = await scene.page({ since, limit: 1, offset: 1 })
    expectSame('ids', got.ids, whole.slice(1, 2))
  },
  'listFormSubmissions/since-last: since the last one there are none': async (scene) =>
    expectSame('submissions', (await scene.page({ since: (await moments(scene)).last })).submissions, []),
  'listFormSubmissions/order: lists the oldest first (assumption listOrder)': async (scene) => {
    const times = await createdAt(scene)
    const sorted = times.toSorted((a, b) => a - b)
    expectSame('moments', times, sorted)
  },
})

const creating = submissionRules('contract, FormSubmission', {
  'listFormSubmissions/created-entity: created_entity_type follows the target of its form': async (c) => {
    const wanted = c.form.target_type === 'task' ? 'task' : 'datatable_row'
    for (const { created_entity_type } of await c.all())
      expectSame('created_entity_type', created_entity_type, wanted)
  },
  'listFormSubmissions/created-exists: created_entity_id names a task or a row of the target': async (c) => {
    const ids = (await c.all()).map((one) => one.created_entity_id)
    const isTask = c.form.target_type === 'task'
    // Some may have been deleted since.
    for (const id of ids) {
      const params = isTask ? { taskId: id } : { tableId: c.form.target_id, rowId: id }
      if ((await c.api.call(isTask ? 'getTask' : 'getRow', { params })).isSuccess) return
    }
    throw new Drift('one id at least that can be read', ids.join(', '))
  },
  'listFormSubmissions/data-keys: data is keyed by the ids of the items of the form (assumption formStructure)':
    async ({ form, all }) => {
      const ids = form.field_config.map((item) => (Object(item) as { id?: unknown }).id)
      for (const keys of (await all()).map(({ data }) => Object.keys(data))) {
        const isKeyed = keys.length === 0 || keys.some((key) => ids.includes(key))
        expectThat(isKeyed, `keys of ${ids.join(', ')}`, keys)
      }
    },
})

export const formRules = [
  ...listedOnce,
  ...forms,
  ...pagingRules('listFormSubmissions', 'form', 'submissions', submissionRules),
  ...paging,
  ...creating,
]
