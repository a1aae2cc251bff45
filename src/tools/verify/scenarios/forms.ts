// Scenarios for forms and submissions, which are read-only.
import { formFields } from '../../../contract/forms.ts'
import { isObject } from '../../../contract/data/objects.ts'
import { idsOf } from '../../../contract/data/maps.ts'
import { requireValue } from '../../deployment/stop.ts'
import type { Params } from '../../deployment/ledger.ts'
import { reading, type Scenario } from '../twin/player.ts'

/** Serializes a value independently of field order. */
const toSortedText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner,
  )

export const formScenarios: readonly Scenario[] = [
  ...reading('contract, Form', {
    'listForms getForm/forms: a form is the same whether read alone or listed': async (ctx) => {
      const { forms = [] } = await ctx.readTheirs('listForms')
      for (const { id: formId } of ctx.known.forms.slice(0, 10)) {
        const { form } = await ctx.readTheirs('getForm', { formId })
        const listed = forms.find(({ id }) => id === form?.id)
        for (const [name, value] of Object.entries(listed ?? {}))
          if (name in formFields && toSortedText(value) !== toSortedText(Reflect.get(form ?? {}, name)))
            ctx.differ('getForm', `form.${name}`, value, Reflect.get(form ?? {}, name))
      }
    },
    'listForms listDatatables/targets: a form writes to a list or to a listed table': async (ctx) => {
      const { datatables = [] } = await ctx.readTheirs('listDatatables')
      const { forms = [] } = await ctx.readTheirs('listForms')
      for (const { target_type, target_id } of forms)
        if (target_type !== 'task' && !idsOf(datatables).includes(target_id))
          ctx.differ('listForms', 'forms[].target_id', 'the id of a table', target_id)
    },
  }),
  ...reading('contract, Limits', {
    'listFormSubmissions/pages: a page has 50 submissions by default, 200 at most': async (ctx) => {
      const pages = '? ?limit=1 ?limit=2&offset=1 ?offset=9999 ?limit=101 ?limit=200'
      for (const { id: formId } of ctx.known.forms.slice(0, 2))
        await ctx.get('listFormSubmissions', { formId }, pages)
      ctx.says('page sizes above the maximum, and numbers out of range', 'assumption limitAboveMax')
      const odd = '?limit=201 ?limit=1000 ?limit=0 ?limit=x ?offset=-1 ?since=x'
      for (const { id: formId } of ctx.known.forms.slice(0, 1))
        await ctx.get('listFormSubmissions', { formId }, odd)
    },
  }),
  ...reading('contract, FormSubmission', {
    'listFormSubmissions getForm/entries: a submission is keyed by the items of its form, and names the record it created':
      async (ctx) => {
        for (const { id: formId, field_config, target_type, target_id } of ctx.known.forms.slice(0, 3)) {
          const { submissions = [] } = await ctx.readTheirs('listFormSubmissions', { formId })
          if (submissions.length === 0) continue
          const items = field_config.map((item) => Object(item) as { id?: unknown })
          const keys = submissions.map(({ data }) => Object.keys(data)).filter(({ length }) => length > 0)
          const foreign = keys.find((all) => !items.some(({ id }) => all.includes(String(id))))
          if (foreign)
            ctx.differ('listFormSubmissions', 'submissions[].data', "ids of the form's items", foreign)
          const made = submissions.slice(-4).map(({ created_entity_id }) => created_entity_id)
          const read = target_type === 'task' ? 'getTask' : 'getRow'
          let isAnyThere = false
          // Some records may have been deleted or be invisible to the key.
          for (const id of made) {
            const params: Params = read === 'getTask' ? { taskId: id } : { tableId: target_id, rowId: id }
            isAnyThere ||= (await ctx.sendToDeployment(read, { params })).theirs.status !== 404
          }
          if (!isAnyThere)
            ctx.differ(
              'listFormSubmissions',
              'submissions[].created_entity_id',
              'a record that can be read',
              made,
            )
        }
      },
    'listFormSubmissions/since: since finds the submissions after a moment, but not at that moment': async (
      ctx,
    ) => {
      const times = ctx.known.forms.flatMap(({ id: formId, submissions }) =>
        submissions.slice(0, 2).map(({ created_at }) => ({ formId, created_at })),
      )
      const { formId: first } = requireValue(times[0], 'no form has submissions')
      for (const { formId, created_at: at } of times.slice(0, 4)) {
        const since = (moment: number, more = '') => `?since=${String(moment)}${more}`
        const pages = [since(at + 1, '&limit=1'), since(at - 1, '&limit=1&offset=1')]
        await ctx.get('listFormSubmissions', { formId }, since(at), since(at - 1), ...pages)
      }
      await ctx.get('listFormSubmissions', { formId: first }, '?since=0')
    },
  }),
]
