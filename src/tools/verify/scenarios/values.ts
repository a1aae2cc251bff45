// Values to write, valid and questionable, for each column type and each body field (by
// name or schema), and a plausible body for each operation.
import * as z from 'zod/mini'
import { idsOf } from '../../../contract/data/maps.ts'
import type { Column, ColumnType } from '../../../contract/datatables.ts'
import type { OperationId } from '../../../contract/index.ts'
import type { JsonObject } from '../../../contract/schema/maps.ts'
import type { CallOptions } from '../../deployment/client.ts'
import type { ScenarioContext } from '../twin/player.ts'
import { findWritableColumns, getOwnStatuses } from './own.ts'

/** A day in 2027, far from the time of any run. */
export const farDay = 1_800_000_000

/** Umlauts, combining accents, other scripts, characters beyond 16 bits, markup, quotes, double and trailing spaces. */
export const hardText = `Zoë & Søn <b>"bold"</b> it's  100 % \\n + 日本語 Ελλάδα 😀 é e\u0301 ${'and so on '.repeat(24)}  `

const document = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'rich', marks: [{ type: 'bold' }] }] }],
}

interface Values {
  readonly good: readonly unknown[]
  /** Values that the deployment may refuse. */
  readonly odd: readonly unknown[]
}

/** One day, one hour, one minute and one second, in seconds. */
const aDayAndMore = 90_061

export const monthly = { trigger: 'on_schedule', frequency: 'monthly' }
export const weekly = { ...monthly, frequency: 'weekly' }
export const daily = { ...monthly, frequency: 'daily' }

/** Values nearly every type refuses. Similar types are tried with fewer. */
const oddForAll: readonly unknown[] = ['', ' x ', 5, true, [], ['x'], {}]

const noOption = 'verify_no_such_option'

/** A text with both kinds of line endings, a tab, a control character and a combining accent. */
const rawText = 'a,b:c  "q"\r\nnext\tline\n\u0001 e\u0301'
const anyText: Values = { good: ['plain text', hardText, rawText], odd: [] }
const numbers: Values = { good: [12.345678, 0, -3.1, 1e15], odd: ['5', '1e3'] }

/** Valid and questionable values for a column, excluding null and [], which every column takes. */
export function valuesOfColumn({ known: { members } }: ScenarioContext, column: Column): Values {
  const { type, options = [] } = column
  const [a, b = a] = options
  const [m, n = m] = members
  const byType: Readonly<Partial<Record<ColumnType, Values>>> = {
    longtext: { good: [rawText, hardText + 'and so on '.repeat(200), 'plain text'], odd: [] },
    email: { good: ['Ada+1@Example.com', ' no address '], odd: [5, ['x']] },
    phone: { good: ['+49 1', ' x '], odd: [5, ['x']] },
    link: { good: ['HTTPS://Example.com/A/?a=1', ' x '], odd: [5, ['x']] },
    number: numbers,
    currency: { good: [12.3456, 0, -1], odd: ['5', '', true] },
    slider: { good: [40, 0], odd: ['5', 101, ''] },
    checkbox: { good: [true, false], odd: ['true', 1, 0] },
    date: { good: [farDay + 3723, 0, -86_400], odd: [1.5, '2027-01-15', String(farDay)] },
    dropdown: { good: [a?.id, b?.id], odd: [noOption, a?.label, [a?.id]] },
    tags: {
      good: [[a?.id, b?.id], [b?.id], [b?.id, a?.id]],
      odd: [[noOption], a?.id, [a?.id, a?.id], [a?.label]],
    },
    people: { good: [[m?.id, n?.id], [n?.id]], odd: [[noOption], m?.id, [m?.id, m?.id], [m?.name]] },
    datatable: { good: [[]], odd: [[noOption], noOption] },
  }
  const { good, odd } = byType[type] ?? anyText
  const isOneOfMany = ['email', 'phone', 'link', 'currency', 'slider'].includes(type)
  return { good, odd: isOneOfMany ? odd : [...odd, ...oddForAll] }
}

export const fillCells = (ctx: ScenarioContext): JsonObject =>
  Object.fromEntries(
    findWritableColumns(ctx).map((column) => [column.id, valuesOfColumn(ctx, column).good[0]]),
  )

const noSuchId = 'verify_none_such'
export const unknownField = { verify_no_such_field: 1 }

function idsOfMembers({ known }: ScenarioContext): Values {
  const [a, b = a] = idsOf(known.members)
  return { good: [b, a], odd: [noSuchId, 5] }
}

const names = (ctx: ScenarioContext): Values => ({
  // The second starts with a character that sorts before letters and digits.
  good: [`${ctx.text()} ${rawText}${hardText}`, `! ${ctx.text()}`, ctx.text()],
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
  // Only `manual`, because other scenarios start and stop timers.
  action: () => ({ good: ['manual'], odd: ['verify'] }),
  date_start: () => ({ good: [farDay - 7, 0], odd: ['x', 1.5] }),
  date_end: () => ({ good: [farDay + 900], odd: ['x', 1.5] }),
  due_date: () => ({ good: [farDay + 5, 0], odd: [String(farDay), 1.5] }),
}

function bySchema(schema: unknown): Values {
  if (schema instanceof z.ZodMiniEnum) return { good: schema.options, odd: ['URGENT', 3] }
  if (schema instanceof z.ZodMiniBoolean) return { good: [true, false], odd: [1] }
  if (schema instanceof z.ZodMiniNumber) return { good: [aDayAndMore, 0], odd: [-1, 1.5, '5'] }
  return { good: [`text ${hardText}`, ''], odd: [5] }
}

export function valuesOfField(ctx: ScenarioContext, name: string, schema: unknown): Values {
  if (schema instanceof z.ZodMiniOptional) return valuesOfField(ctx, name, schema.def.innerType)
  const isNullable = schema instanceof z.ZodMiniNullable
  const { good, odd } = byName[name]?.(ctx) ?? bySchema(isNullable ? schema.def.innerType : schema)
  return isNullable ? { good: [...good, null], odd } : { good, odd: [...odd, null] }
}

/** A form field: a text, or a file with name, content and type. */
export type Part = readonly [
  name: string,
  value: string | readonly [name: string, content: BlobPart, type?: string],
]

export function formOf(...parts: readonly Part[]): FormData {
  const form = new FormData()
  for (const [name, value] of parts)
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([value[1]], { type: value[2] ?? 'text/plain' }), value[0])
  return form
}

export const file = (name = 'verify.txt', content: BlobPart = 'verify', type?: string): Part => [
  'file',
  type === undefined ? [name, content] : [name, content, type],
]

/** A body the operation accepts if the ids in its path exist; undefined if it takes no JSON. */
export function makePlausibleJson(operation: OperationId, text = 'verify'): unknown {
  const [named, titled, said] = [{ name: text }, { title: text }, { content: text }]
  const [written, inBulk] = [{ data: {} }, { rows: [{}] }]
  const bodies: Readonly<Partial<Record<OperationId, unknown>>> = {
    ...{ queryRows: {}, createRow: written, updateRow: written },
    ...{ bulkInsertRows: inBulk, submitInsertJob: inBulk },
    ...{ updateSpace: named, createList: named, updateList: named },
    ...{ createTask: titled, updateTask: titled, createComment: said, updateComment: said },
    createTimeEntry: { action: 'manual', duration: 60 },
    updateTimeEntry: { duration: 60 },
  }
  return bodies[operation]
}

export function makePlausibleBody(operation: OperationId): CallOptions {
  const json = makePlausibleJson(operation)
  return operation.startsWith('upload') ? { body: formOf(file()) } : json === undefined ? {} : { json }
}
