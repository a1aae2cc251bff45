// The formulas of a table or list together: they can build on one another.
import { entryOf } from '../contract/values/entries.ts'
import { broken, mostLevels, parseFormula, type Formula, type ParsedFormula } from './formulas.ts'

/** What formulas need of a column or custom field. */
export interface FormulaRecord {
  readonly name: string
  readonly type: string
  readonly formula?: string | undefined
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
      open.push(...below(record).filter((one) => formulas.has(one) && !levels.has(one)))
    } else {
      if (level === 0)
        levels.set(record, 1 + Math.max(0, ...below(record).map((one) => levels.get(one) ?? 0)))
      open.pop()
    }
  }
  return levels
}

const compiled = new WeakMap<readonly FormulaRecord[], ReadonlyMap<FormulaRecord, Formula>>()

/**
 * The formulas of a table's columns or a list's fields; they never throw and give null for whatever cannot be computed.
 * They are kept as long as the columns are.
 * Assumption: formulaLanguage
 */
export function formulasOf(records: readonly FormulaRecord[]): ReadonlyMap<FormulaRecord, Formula> {
  return entryOf(compiled, records, () => {
    const formulas = new Map(
      records
        .filter(({ type }) => type === 'formula')
        .map((record) => [record, parseFormula(record.formula ?? '')]),
    )
    const levels = levelsOf(formulas, records)
    const isTooDeep = (record: FormulaRecord) => (levels.get(record) ?? 0) > mostLevels
    return new Map(
      [...formulas].map(([record, { compute }]) => [record, isTooDeep(record) ? broken.compute : compute]),
    )
  })
}
