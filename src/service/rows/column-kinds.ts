// How column values compare in filters and sorting: as numbers, as text, or as ids with names.
import { foldOf } from '../../contract/text/format.ts'
import type { Member } from '../../contract/schema/common.ts'
import type { ColumnRecord } from '../../contract/datatables.ts'
import type { Answers } from '../../contract/questions/register.ts'
import { momentTypes, numberTypes } from '../../contract/column-types.ts'
import { createNumberReader } from './autonumbers.ts'

/**
 * How values compare. `named` values are ids with a label or name, `numbered` values are strings that contain a number, and
 * `dynamic` values have whatever type a formula returns.
 */
type ValueKind = 'number' | 'text' | 'checkbox' | 'named' | 'numbered' | 'file' | 'dynamic'

export interface ColumnKind {
  readonly kind: ValueKind
  /** Whether a value is an array whose items count individually. */
  readonly isList: boolean
  /** Labels or names by id, if the kind is `named`. */
  readonly names: ReadonlyMap<unknown, string>
  /** The number in a value, if the kind is `numbered`; null if it has none. */
  readonly numberIn: (value: unknown) => number | null
  /** How searches fold text before comparing it. Assumption: queryText */
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

/** An operand as a number, given as a number or as text; otherwise NaN. */
export function numberOf(operand: unknown): number {
  if (typeof operand === 'number') return operand
  return typeof operand === 'string' && decimal.test(operand) ? Number(operand) : NaN
}
