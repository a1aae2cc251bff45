// Owns which column and operand each operator of the structured query is tried with.
import type { Column } from '../../contract/datatables.ts'
import type { Operator } from '../../contract/rows.ts'
import type { SeenRow, WholeTable } from '../engine/discovery.ts'
import { checkboxColumn, numberColumn, someValue, textColumn, valuesOf } from './row-cells.ts'

interface Operand {
  readonly column: Column
  readonly value?: unknown
}

/** A column and an operand for each operator, so that some rows are found and others not. */
export const operandOf: Readonly<Record<Operator, (table: WholeTable) => Operand>> = {
  eq: textOperand((text) => text),
  neq: textOperand((text) => text),
  contains: textOperand((text) => text.slice(1, 4)),
  not_contains: textOperand((text) => text.slice(1, 4)),
  starts_with: textOperand((text) => text.slice(0, 2)),
  ends_with: textOperand((text) => text.slice(-2)),
  in: textOperand((text) => [text]),
  not_in: textOperand((text) => [text]),
  gt: middleNumber,
  gte: middleNumber,
  lt: middleNumber,
  lte: middleNumber,
  between: (table) => {
    const { column } = middleNumber(table)
    const numbers = sortedNumbers(table, column)
    return { column, value: [numbers[1] ?? numbers[0], numbers[numbers.length - 2] ?? numbers[0]] }
  },
  is_empty: leastFilled,
  is_not_empty: leastFilled,
  is_true: (table) => ({ column: checkboxColumn(table) }),
  is_false: (table) => ({ column: checkboxColumn(table) }),
}

function textOperand(operandFrom: (text: string) => unknown): (table: WholeTable) => Operand {
  return (table) => {
    const column = textColumn(table)
    return { column, value: operandFrom(String(someValue(table, column))) }
  }
}

function sortedNumbers(table: WholeTable, column: Column): number[] {
  return valuesOf(table, column)
    .filter((value) => typeof value === 'number')
    .sort((a, b) => a - b)
}

function middleNumber(table: WholeTable): Operand {
  const column = numberColumn(table)
  const numbers = sortedNumbers(table, column)
  return { column, value: numbers[Math.floor(numbers.length / 2)] }
}

const emptyCount = (table: WholeTable, column: Column) =>
  table.rows.filter(({ cells }: SeenRow) => [null, undefined, ''].includes(cells[column.id] as null)).length

/** The text column with the most empty values. */
function leastFilled(table: WholeTable): Operand {
  const texts = table.columns.filter(({ type }) =>
    ['text', 'longtext', 'email', 'phone', 'link'].includes(type),
  )
  const [column] = texts.sort((a, b) => emptyCount(table, b) - emptyCount(table, a))
  return { column: column ?? textColumn(table) }
}
