// The numbers of autonumber columns: their format and their counters.
import type { ColumnRecord } from '../../contract/datatables.ts'
import type { Store } from '../store/store.ts'

/** Without a placeholder, a format gets the bare number at its end. Source: contract, Column (format). */
function parseFormat(format = '') {
  const [, prefix = format, placeholder = '', suffix = ''] = /^([^{]*)\{([^}]*)\}(.*)$/s.exec(format) ?? []
  return { prefix, digits: placeholder.length, suffix }
}

/** Formats `INV-{0000}` and 1 as `INV-0001`. */
export function formatAutonumber(format: string | undefined, number: number): string {
  const { prefix, digits, suffix } = parseFormat(format)
  return prefix + String(number).padStart(digits, '0') + suffix
}

/** Creates a function that reads the number in a value; null if the value does not match the format. */
export function createNumberReader(format: string | undefined): (value: unknown) => number | null {
  const { prefix, suffix } = parseFormat(format)
  return (value) => {
    if (typeof value !== 'string' || !value.startsWith(prefix) || !value.endsWith(suffix)) return null
    const digits = value.slice(prefix.length, value.length - suffix.length)
    const number = /^\d+$/.test(digits) ? Number(digits) : NaN
    return Number.isSafeInteger(number) ? number : null
  }
}

/** Takes a column's next number; it stops at the last safe integer. */
export function takeAutonumber(store: Store, tableId: string, { id, format }: ColumnRecord): string {
  const key = `${tableId}/${id}`
  const number = Math.min(store.counters.autonumber(key) + 1, Number.MAX_SAFE_INTEGER)
  store.counters.setAutonumber(key, number)
  return formatAutonumber(format, number)
}
