// The kindsByType of values of columns, for filters and sorting: numbers, text, or ids that have names.
import { foldOf } from '../../contract/text/format.ts'
import type { Member } from '../../contract/schema/common.ts'
import type { ColumnRecord } from '../../contract/datatables.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { momentTypes, numberTypes } from '../../contract/column-types.ts'
import { createNumberReader } from './autonumbers.ts'

/**
 * How values compare. `named` values are ids that stand for a label or name, `numbered` values are texts with a number
 * in them, `dynamic` values have whichever type a formula gives.
 */
type ValueKind = 'number' | 'text' | 'checkbox' | 'named' | 'numbered' | 'file' | 'dynamic'

export interface ColumnKind {
  readonly kind: ValueKind
  /** Whether a value is an array, whose items count one by one. */
  readonly isList: boolean
  /** Labels or names by id, where the kind is `named`. */
  readonly names: ReadonlyMap<unknown, string>
  /** The number in a value, where the kind is `numbered`; null where it has none. */
  readonly numberIn: (value: unknown) => number | null
  /** What is compared of texts in searches. Assumption: queryText */
  readonly fold: (text: string) => string
}

const kindsByType: Readonly<Record<string, ValueKind>> = {
  ...Object.fromEntries([...numberTypes, ...momentTypes].map((type) => [type, 'number' as const])),
  checkbox: 'checkbox',
  dropdown: 'named',
  tags: 'named',
  people: 'named',
  datatable: 'named',
  attachment: 'file',
  autonumber: 'numbered',
  formula: 'dynamic',
}

const listTypes: ReadonlySet<string> = new Set(['tags', 'people', 'datatable', 'attachment'])

/** Assumption: filterValues, emptyValues */
export function kindOf(column: ColumnRecord, members: readonly Member[], answers: Answers): ColumnKind {
  const { type, options = [] } = column
  const kind = kindsByType[type] ?? 'text'
  const labels = options.map(({ id, label }) => [id, label] as const)
  return {
    kind,
    isList: listTypes.has(type),
    names: new Map(type === 'people' ? members.map(({ id, name }) => [id, name]) : labels),
    numberIn: kind === 'numbered' ? createNumberReader(column.format) : () => null,
    fold: foldOf(answers),
  }
}

/** The text of a single value: the label of an option, the name of a member or file. */
export function textOfValue({ kind, names }: ColumnKind, value: unknown): string {
  if (typeof value === 'string') return kind === 'named' ? (names.get(value) ?? value) : value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (kind === 'file' && typeof value === 'object' && value !== null && 'filename' in value)
    return String(value.filename)
  return JSON.stringify(value) ?? ''
}

const decimal = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i

/** An operand as a number, which can be given as text; else NaN. */
export function numberOf(operand: unknown): number {
  if (typeof operand === 'number') return operand
  return typeof operand === 'string' && decimal.test(operand) ? Number(operand) : NaN
}
