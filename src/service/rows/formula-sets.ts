// The formulas of a table or list as a set. They can use one another, and read other fields by name.
import type { Option } from '../../contract/datatables.ts'
import { mostLevels, parseFormula } from './formulas.ts'
import type { Formula, FormulaValue, ParsedFormula } from './formulas.ts'

/** What formulas need from a column or custom field. */
interface FormulaRecord {
  readonly name: string
  readonly type: string
  readonly formula?: string | undefined
  readonly options?: readonly Option[] | undefined
}

/** The depth of each formula: how many formulas build on one another. In a cycle, counting stops where it closes. */
function levelsOf(formulas: ReadonlyMap<FormulaRecord, ParsedFormula>, records: readonly FormulaRecord[]) {
  const byName = new Map(records.toReversed().map((record) => [record.name, record]))
  const levels = new Map<FormulaRecord, number>()
  const below = (record: FormulaRecord) =>
    [...(formulas.get(record)?.names ?? [])].flatMap((name) => byName.get(name) ?? [])
  const open = [...formulas.keys()]
  for (let record = open.at(-1); record; record = open.at(-1)) {
    const level = levels.get(record)
    if (level === undefined) {
      levels.set(record, 0)
      for (const one of below(record)) if (formulas.has(one) && !levels.has(one)) open.push(one)
    } else {
      const deepest = below(record).reduce((most, one) => Math.max(most, levels.get(one) ?? 0), 0)
      if (level === 0) levels.set(record, deepest + 1)
      open.pop()
    }
  }
  return levels
}

type Reader<Source> = (source: Source) => unknown
type Readers<Field, Source> = ReadonlyMap<Field, Reader<Source>>

/** Readers, cached by the (immutable) fields they were created for. */
const cache = new WeakMap<readonly FormulaRecord[], ReadonlyMap<unknown, Reader<never>>>()

/**
 * Creates readers for the formula fields of a source, an immutable object with the values of all fields. If several fields
 * have one name, formulas see the first. A field whose formula is unknown has stored values. Assumption: formulaLanguage
 * @param readerOf how to read the other fields
 */
export function getFormulaReaders<Field extends FormulaRecord, Source>(
  fields: readonly Field[],
  readerOf: (field: Field) => Reader<Source>,
): Readers<Field, Source> {
  const cached = cache.get(fields) as Readers<Field, Source> | undefined
  if (cached) return cached
  const operands = new Map<string, Reader<Source>>()
  // Computes each formula once per source, because formulas can use other formulas.
  const results = new Map<FormulaRecord, FormulaValue>()
  let current: Source | undefined
  const readComputed = (field: FormulaRecord, compute: Formula) => (source: Source) => {
    if (source !== current) {
      current = source
      results.clear()
    }
    const known = results.get(field)
    if (known !== undefined) return known
    // The result is null until computed, so every formula in a cycle returns null.
    results.set(field, null)
    const result = compute((name) => operands.get(name)?.(source))
    results.set(field, result)
    return result
  }
  const formulas = new Map<FormulaRecord, ParsedFormula>()
  for (const field of fields)
    if (field.type === 'formula') formulas.set(field, parseFormula(field.formula ?? ''))
  const levels = levelsOf(formulas, fields)
  const readers = new Map<Field, Reader<Source>>()
  for (const field of fields) {
    const isTooDeep = (levels.get(field) ?? 0) > mostLevels
    const formula = field.formula === undefined ? undefined : formulas.get(field)
    const read = formula ? readComputed(field, isTooDeep ? () => null : formula.compute) : readerOf(field)
    if (field.type === 'formula') readers.set(field, read)
    if (operands.has(field.name)) continue
    // Formulas see the label of a dropdown.
    const labels = new Map<unknown, string>((field.options ?? []).map(({ id, label }) => [id, label]))
    operands.set(field.name, field.type === 'dropdown' ? (source) => labels.get(read(source)) : read)
  }
  cache.set(fields, readers)
  return readers
}
