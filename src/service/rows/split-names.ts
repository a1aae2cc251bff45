// Splits the column names in a parameter of the row listing. Commas separate them, and names can contain commas too.
import { ApiError } from '../../contract/errors.ts'
import { assumedLimits } from '../../contract/limits.ts'
import type { CompiledTable } from './columns.ts'

/** @throws {ApiError} validation */
export function assertFew(field: string, received: number): void {
  const { entries } = assumedLimits.queryBody
  if (received > entries)
    throw new ApiError(
      'validation',
      `${field} must have at most ${String(entries)} entries; received ${String(received)}`,
    )
}

/**
 * Finds, for each part, the end of the name that begins there, so that as few names as possible are unknown: the next
 * comma, unless a name with commas is better. Longer names are tried first.
 */
function endsOf(parts: readonly string[], mostCommas: number, isName: (piece: string) => boolean): number[] {
  const ends = parts.map(() => 0)
  /** The number of unknown names from each part on. */
  const unknown = [...ends, 0]
  for (let from = parts.length - 1; from >= 0; from--) {
    const [part = ''] = parts.slice(from, from + 1)
    let least = (part === '' || isName(part) ? 0 : 1) + (unknown[from + 1] ?? 0)
    ends[from] = from + 1
    for (let to = Math.min(parts.length, from + 1 + mostCommas); to > from + 1 && least > 0; to--) {
      const left = unknown[to] ?? 0
      if (left >= least || !isName(parts.slice(from, to).join(','))) continue
      least = left
      ends[from] = to
    }
    unknown[from] = least
  }
  return ends
}

/**
 * Splits a list of names at commas, but not inside names. Assumption: columnNames
 * @throws {ApiError} validation, for more entries than allowed
 */
export function splitNames(
  field: string,
  text: string,
  { columns }: CompiledTable,
  isName: (piece: string) => boolean,
): string[] {
  if (text === '') return []
  const parts = text.split(',')
  const mostCommas = columns.reduce((most, { name }) => Math.max(most, name.split(',').length - 1), 0)
  assertFew(field, Math.ceil(parts.length / (mostCommas + 1)))
  const ends = mostCommas === 0 ? [] : endsOf(parts, mostCommas, isName)
  const pieces: string[] = []
  for (let from = 0; from < parts.length;) {
    const to = ends[from] ?? from + 1
    pieces.push(parts.slice(from, to).join(','))
    from = to
  }
  assertFew(field, pieces.length)
  return pieces.filter((piece) => piece !== '')
}
