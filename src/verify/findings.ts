// Differences as findings of a report: the field with the name and type of its column, what was expected and what came.
import { quote } from '../contract/text/quote.ts'
import type { Evident } from './engine/report.ts'
import type { Found } from './twin/play.ts'
import type { Oracle } from './twin/oracle.ts'
import type { Scenario } from './twin/scenario.ts'

/** A field by its path; a column or custom field also by its name and type, since its id says little. */
function fieldOf(path: string, oracle: Oracle | undefined): string {
  const column = oracle?.columns.get(path.split('.').at(-1)?.replaceAll('[]', '') ?? '')
  return column ? `${path} (${column.type} "${column.name}")` : path
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : quote(value))

/** How two values differ, in words. */
function describe(
  { kind, path, expected, got, theirs }: Found,
  field: string,
): { expected: string; got: string } {
  if (kind === 'status')
    return { expected: `status ${String(expected)}`, got: theirs?.summary ?? `status ${String(got)}` }
  const what = path === '' ? 'the body' : field
  if (kind === 'id') return { expected: `${what} is an id of its own`, got: shown(got) }
  if (kind === 'number') return { expected: `${what} is a number of its own, which stays`, got: shown(got) }
  return { expected: `${what} ${shown(expected)}`, got: shown(got) }
}

export function driftOf(found: Found, { id }: Scenario, oracle: Oracle | undefined): Evident {
  const { operation, says, source, after, exchanges, path, kind } = found
  const field = fieldOf(path, oracle)
  return {
    operation,
    rule: id,
    says,
    source,
    outcome: 'drift',
    field,
    cause:
      kind === 'status'
        ? `status ${String(found.expected)} ${String(found.got)}`
        : `${operation} ${path} ${kind}`,
    ...describe(found, field),
    ...(after !== undefined && { after, operations: [operation, after] }),
    exchanges,
  }
}
