// Selects the rules of a run: `only` and `skip` name rules, operations, or both as `operation/rule`.
import { nearest } from '../../contract/text/nearest.ts'
import { operationIds } from '../../contract/scopes.ts'
import { quote } from '../../contract/text/quote.ts'
import { ruleName, type NamedRule } from './report.ts'
import { CannotRun } from './start.ts'

export interface SelectionOptions {
  /** Rules (`unknown-taskId`), operations (`getTask`) or both (`getTask/unknown-taskId`) to judge; by default all. */
  readonly only?: readonly string[] | undefined
  /** The same, to leave out. */
  readonly skip?: readonly string[] | undefined
  /** Whether to leave out what is assumed where the contract is silent; default false. */
  readonly contractOnly?: boolean | undefined
}

const isNamed = (names: readonly string[], named: NamedRule) =>
  names.some((name) => [named.rule, named.operation, ruleName(named)].includes(name))

function assertNames(option: string, names: unknown): void {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return
  throw new CannotRun(`${option} must be a list of rules and operations; received ${quote(names)}`)
}

/** @throws {CannotRun} for a name that is neither a rule nor an operation */
export function selection({ only, skip = [] }: SelectionOptions, all: readonly NamedRule[]) {
  assertNames('only', only ?? [])
  assertNames('skip', skip)
  const known = new Set<string>(['general', ...operationIds])
  for (const named of all) known.add(named.rule).add(ruleName(named))
  // A finding of a scenario can be about any operation that it sends.
  const isPair = ([operation, rule = '']: readonly string[]) =>
    operationIds.some((id) => id === operation) && all.some((named) => named.rule === rule)
  for (const name of [...(only ?? []), ...skip])
    if (!known.has(name) && !isPair(name.split('/')))
      throw new CannotRun(
        `no rule or operation is named ${quote(name)}; the nearest is "${nearest(name, [...known], String) ?? ''}"`,
      )
  return (named: NamedRule) => (only === undefined || isNamed(only, named)) && !isNamed(skip, named)
}
