// Values to write: for each type of column those that fit and those that may be refused; texts that are easily spoiled; a body
// for each operation.
import type { ColumnType } from '../../../contract/datatables.ts'
import type { OperationId } from '../../../contract/index.ts'
import type { Member } from '../../../contract/schema/common.ts'
import type { CallOptions } from '../engine/client.ts'

/** A day in 2027: far from the time of any run. */
export const farDay = 1_800_000_000

/** Umlauts, letters with accents apart, other alphabets, characters beyond 16 bits, markup, quotes, two blanks, blanks at the end. */
export const hardText = `Zoë & Søn <b>"bold"</b> it's  100 % \\n + 日本語 Ελλάδα 😀 é e\u0301 ${'and so on '.repeat(24)}  `

export const document = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'rich', marks: [{ type: 'bold' }] }] }],
}

export interface Values {
  readonly good: readonly unknown[]
  /** May be refused. */
  readonly odd: readonly unknown[]
}

export const monthly = { trigger: 'on_schedule', frequency: 'monthly' }
export const weekly = { ...monthly, frequency: 'weekly' }
export const daily = { ...monthly, frequency: 'daily' }

interface ValueSpec {
  readonly type: ColumnType
  readonly options?: readonly { readonly id: string; readonly label: string }[] | undefined
}

/** Refused by nearly every type. Types that resemble another are tried with fewer. */
const oddForAll: readonly unknown[] = ['', ' x ', 5, true, [], ['x'], {}]

const noOption = 'verify_no_such_option'

/** A text with both kinds of line ends, a tab, a control character, a letter and its accent apart. */
export const rawText = 'a,b:c  "q"\r\nnext\tline\n\u0001 e\u0301'
const plainTexts: Values = { good: ['plain text', hardText, rawText], odd: [] }
const numbers: Values = { good: [12.345678, 0, -3.1, 1e15], odd: ['5', '1e3'] }

/** Good and odd values of a column, without null and an empty list, which every column takes. */
export function valuesOf({ type, options = [] }: ValueSpec, members: readonly Member[]): Values {
  const [a, b = a] = options
  const [m, n = m] = members
  const byType: Readonly<Partial<Record<ColumnType, Values>>> = {
    longtext: { good: [rawText, hardText, 'plain text'], odd: [] },
    email: { good: ['Ada+1@Example.com', 'no address'], odd: [5, ['x']] },
    phone: { good: ['+49 1', 'x'], odd: [5, ['x']] },
    link: { good: ['HTTPS://Example.com/A/?a=1', 'x'], odd: [5, ['x']] },
    number: numbers,
    currency: { good: [12.3456, 0, -1], odd: ['5', '', true] },
    slider: { good: [40, 0], odd: ['5', 101, ''] },
    checkbox: { good: [true, false], odd: ['true', 1, 0] },
    date: { good: [farDay, 0, -86_400], odd: [1.5, '2027-01-15', String(farDay)] },
    dropdown: { good: [a?.id, b?.id], odd: [noOption, a?.label, [a?.id]] },
    tags: {
      good: [[a?.id, b?.id], [b?.id], [b?.id, a?.id]],
      odd: [[noOption], a?.id, [a?.id, a?.id], [a?.label]],
    },
    people: { good: [[m?.id, n?.id], [n?.id]], odd: [[noOption], m?.id, [m?.id, m?.id], [m?.name]] },
    datatable: { good: [[]], odd: [[noOption], noOption] },
  }
  const { good, odd } = byType[type] ?? plainTexts
  const isOneOfMany = ['email', 'phone', 'link', 'currency', 'slider'].includes(type)
  return { good, odd: isOneOfMany ? odd : [...odd, ...oddForAll] }
}

/** A name with a space, an umlaut, a percent sign before two hex digits, a plus, an ampersand and a quote. */
export const hardName = "grün 100 %25 + it's & more.bin"
/** Every byte value, and both kinds of line ends. */
export const hardBytes = Uint8Array.from({ length: 260 }, (_, at) => [13, 10, 10, 13][at - 256] ?? at)

/** A text, or a file with its name, content and type. */
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
export const hardFile = file(hardName, hardBytes, 'application/octet-stream')

/** What an operation accepts, where the ids of its path exist; undefined where it takes no JSON. */
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
