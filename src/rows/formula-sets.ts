// The formulas of a table or list together: they can build on one another, and see other fields by name.
import type { Option } from '../contract/datatables.ts'
import { getOrInsert } from '../contract/data/maps.ts'
import {
  brokenFormula,
  mostLevels,
  parseFormula,
  type Formula,
  type FormulaValue,
  type ParsedFormula,
} from './formulas.ts'

/** What formulas need of a column or custom field. */
export interface FormulaRecord {
  readonly name: string
  readonly type: string
  readonly formula?: string | undefined
  readonly options?: readonly Option[] | undefined
}

/** The depth of each formula: how many formulas build on one another. A cycle counts until it closes. */
function levelsOf(formulas: ReadonlyMap<FormulaRecord, ParsedFormula>, records: readonly FormulaRecord[]) {
  const byName = new Map(records.toReversed().map((record) => [record.name, record]))
  const levels = new Map<FormulaRecord, number>()
  const below = (record: FormulaRecord) =>
    [...(formulas.get(record)?.names ?? [])]
      .map((name) => byName.get(name))
      .filter((one) => one !== undefined)
  const open = [...formulas.keys()]
  for (let record = open.at(-1); record; record = open.at(-1)) {
    const level = levels.get(record)
    if (level === undefined) {
      levels.set(record, 0)
      for (const one of below(record)) if (formulas.has(one) && !levels.has(one)) open.push(one)
    } else {
      if (level === 0)
        levels.set(
          record,
          below(record).reduce((most, one) => Math.max(most, 1 + (levels.get(one) ?? 0)), 1),
        )
      open.pop()
    }
  }
  return levels
}

/** Columns and fields are immutable, and the formulas follow from them alone: the entry goes with them. */
const compiledFormulas = new WeakMap<readonly FormulaRecord[], ReadonlyMap<FormulaRecord, Formula>>()

/** They never throw and give null for whatever cannot be computed. Kept as long as the columns or fields are. */
function formulasOf(records: readonly FormulaRecord[]): ReadonlyMap<FormulaRecord, Formula> {
  return getOrInsert(compiledFormulas, records, () => {
    const formulas = new Map(
      records
        .filter(({ type }) => type === 'formula')
        .map((record) => [record, parseFormula(record.formula ?? '')]),
    )
    const levels = levelsOf(formulas, records)
    const isTooDeep = (record: FormulaRecord) => (levels.get(record) ?? 0) > mostLevels
    return new Map(
      [...formulas].map(([record, { compute }]) => [
        record,
        isTooDeep(record) ? brokenFormula.compute : compute,
      ]),
    )
  })
}

type Reader<Source> = (source: Source) => unknown

/** A dropdown gives its label to formulas. */
function operandReader<Source>({ type, options }: FormulaRecord, read: Reader<Source>): Reader<Source> {
  if (type !== 'dropdown') return read
  const labels = new Map<unknown, string>((options ?? []).map(({ id, label }) => [id, label]))
  return (source) => labels.get(read(source))
}

/**
 * How to read the fields of type formula in what holds the values of all fields, which must not change.
 * Of several fields with one name formulas see the first. One whose formula is unknown has stored values.
 * Assumption: formulaLanguage
 * @param readerOf how to read the other fields
 */
export function formulaReaders<Field extends FormulaRecord, Source>(
  fields: readonly Field[],
  readerOf: (field: Field) => Reader<Source>,
): ReadonlyMap<Field, Reader<Source>> {
  const operands = new Map<string, Reader<Source>>()
  // Of one source at a time each formula is computed once, since formulas can build on formulas.
  const results = new Map<FormulaRecord, FormulaValue>()
  let current: Source | undefined
  const computed = (field: FormulaRecord, compute: Formula) => (source: Source) => {
    if (source !== current) {
      current = source
      results.clear()
    }
    const known = results.get(field)
    if (known !== undefined) return known
    // Null until computed: every formula of a cycle gives null.
    results.set(field, null)
    const result = compute((name) => operands.get(name)?.(source))
    results.set(field, result)
    return result
  }
  const formulas = formulasOf(fields)
  const readers = new Map<Field, Reader<Source>>()
  for (const field of fields) {
    const compute = field.formula === undefined ? undefined : formulas.get(field)
    const read = compute ? computed(field, compute) : readerOf(field)
    if (field.type === 'formula') readers.set(field, read)
    if (!operands.has(field.name)) operands.set(field.name, operandReader(field, read))
  }
  return readers
}
