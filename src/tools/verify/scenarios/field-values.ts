// Values for the fields of bodies, by the name of a field or else by its schema.
import * as z from 'zod/mini'
import { idsOf } from '../../../contract/data/maps.ts'
import type { ScenarioContext } from '../twin/scenario.ts'
import { getOwnStatuses } from './own.ts'
import { daily, document, farDay, hardText, monthly, rawText, weekly, type Values } from './values.ts'

const noSuchId = 'verify_none_such'
export const unknownField = { verify_no_such_field: 1 }

function idsOfMembers({ known }: ScenarioContext): Values {
  const [a, b = a] = idsOf(known.members)
  return { good: [b, a], odd: [noSuchId, 5] }
}

const names = (ctx: ScenarioContext): Values => ({
  good: [`${ctx.text()} ${rawText}${hardText}`, ctx.text()],
  odd: ['', '  ', 5],
})
const texts = (...good: readonly unknown[]) => ({ good, odd: [5, [], true] })
const colors: Values = { good: ['#abc', '#123456'], odd: ['red', '#12', 5] }

const byName: Readonly<Record<string, (ctx: ScenarioContext) => Values>> = {
  name: names,
  title: (ctx) => ({
    ...names(ctx),
    good: [...names(ctx).good, 'x'.repeat(2000)],
  }),
  color: () => colors,
  content: (ctx) => texts(`${ctx.text()} ${rawText}${hardText}`, 'x'.repeat(3000), document),
  description: () => texts(`text ${rawText}${hardText}`, document),
  note: () => texts(` text ${rawText}${hardText}`, ''),
  status_id: (ctx) => {
    const [first, ...others] = idsOf(getOwnStatuses(ctx))
    return { good: [...others, first], odd: [noSuchId, 5] }
  },
  assignees: (ctx) => {
    const [a, b = a] = idsOf(ctx.known.members).toSorted()
    return { good: [[b, a], [a, b], [b], []], odd: [[a, a], [noSuchId], a] }
  },
  as_user: idsOfMembers,
  comment_as: idsOfMembers,
  parent_task_id: () => ({ good: [], odd: [noSuchId, 5] }),
  custom_data: () => ({ good: [{}], odd: [unknownField, []] }),
  repeat_config: () => ({
    good: [
      { trigger: 'on_complete' },
      { ...daily, time: '08:30' },
      // Sunday and Saturday: the ends of the week.
      { ...weekly, day_of_week: 0 },
      { ...weekly, day_of_week: 6 },
      { ...monthly, day_of_month: 31, end_date: farDay },
      { trigger: 'on_schedule', frequency: 'weekdays' },
    ],
    odd: [{ ...daily, time: '8:30' }],
  }),
  // Other scenarios start and stop timers.
  action: () => ({ good: ['manual'], odd: ['verify'] }),
  date_start: () => ({ good: [farDay - 7, 0], odd: ['x', 1.5] }),
  date_end: () => ({ good: [farDay + 900], odd: ['x', 1.5] }),
  due_date: () => ({ good: [farDay + 5, 0], odd: [String(farDay), 1.5] }),
}

function bySchema(schema: unknown): Values {
  if (schema instanceof z.ZodMiniEnum) return { good: schema.options, odd: ['URGENT', 3] }
  if (schema instanceof z.ZodMiniBoolean) return { good: [true, false], odd: [1] }
  if (schema instanceof z.ZodMiniNumber) return { good: [3607, 0], odd: [-1, 1.5, '5'] }
  return { good: [`text ${hardText}`, ''], odd: [5] }
}

export function valuesOfField(ctx: ScenarioContext, name: string, schema: unknown): Values {
  if (schema instanceof z.ZodMiniOptional) return valuesOfField(ctx, name, schema.def.innerType)
  const isNullable = schema instanceof z.ZodMiniNullable
  const { good, odd } = byName[name]?.(ctx) ?? bySchema(isNullable ? schema.def.innerType : schema)
  return isNullable ? { good: [...good, null], odd } : { good, odd: [...odd, null] }
}
