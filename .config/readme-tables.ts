// Generates the documentation's tables from data, each between a pair of marks.
import { readFileSync } from 'node:fs'
import { clientRules } from '../src/contract/client-rules.ts'
import { errorKinds, generalErrors, limitNames, limitOfKind, type ErrorKind } from '../src/contract/errors.ts'
import { Plan } from '../src/contract/identity.ts'
import { operationList } from '../src/contract/index.ts'
import { errorKindsOf, type OperationSpec } from '../src/contract/operation.ts'
import { defaultAnswers, questionRecords } from '../src/contract/questions/register.ts'
import { defaultScopes } from '../src/contract/scopes.ts'
import { limitOf } from '../src/contract/plan-limits.ts'
import { unobservable } from '../src/tools/verify/learn/learn.ts'
import { figureLines, readFigures } from '../test/fidelity/figures.ts'
import { pages } from './pages.ts'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const code = (text: string) => `\`${text}\``

const isGeneral = (kind: ErrorKind) => (generalErrors as readonly ErrorKind[]).includes(kind)

/** An operation's refusals with a given status, in brackets if the contract does not list it for the endpoint. */
function refusalsCell(operation: OperationSpec, status: number): string {
  const kinds = errorKindsOf(operation).filter((kind) => errorKinds[kind].status === status)
  const own = kinds.filter((kind) => !isGeneral(kind))
  const isListed = operation.documentedErrors.some((listed) => listed === status)
  // A listed status without specific refusals stands for the general ones.
  const shown = isListed && own.length === 0 ? kinds : own
  const text = shown.map(code).join(' ')
  return isListed || text === '' ? text : `(${text})`
}

const ownStatuses = [400, 403, 404, 413, 429] as const

function operationsTable(): string {
  const rows = operationList.map((operation) => [
    code(operation.id),
    code(`${operation.method} ${operation.path}`),
    code(defaultScopes[operation.id]),
    ownStatuses
      .map((status) => refusalsCell(operation, status))
      .filter((kinds) => kinds !== '')
      .join(' '),
  ])
  return table(['operation', 'method and path', 'scope', 'refusals'], rows)
}

function refusalsTable(): string {
  const rows = (Object.keys(errorKinds) as ErrorKind[])
    .sort((a, b) => errorKinds[a].status - errorKinds[b].status)
    .map((kind) => {
      const spec = errorKinds[kind]
      const limit = limitOfKind(kind)
      return [
        String(spec.status),
        code(kind),
        spec.when + ('injected' in spec ? '; only through a fault' : ''),
        limit === undefined ? '' : code(limit),
      ]
    })
  return table(['status', 'refusal', 'returned when', '`resource`'], rows)
}

function fidelityTable(): string {
  return table(['tested', 'result'], figureLines(readFigures()))
}

function plansTable(): string {
  const plans = Plan.options
  const rows = limitNames.map((name) => [
    code(name),
    ...plans.map((plan) => {
      const workspace = {
        id: '',
        name: '',
        plan,
        timezone: 'UTC',
        billing: 'ok' as const,
        limits: {},
        members: [],
      }
      const limit = limitOf(defaultAnswers, workspace, name)
      return limit === null ? 'none' : limit.toLocaleString('en')
    }),
  ])
  return table(['limit', ...plans], rows)
}

function questionsTable(): string {
  const records = questionRecords()
  const rows = records
    .filter(({ fixed }) => !fixed)
    .map(({ id, default: answer, meanings }) => [
      code(id),
      id === 'scopes' ? '[as above](#operations)' : code(JSON.stringify(answer)),
      meanings
        .slice(1)
        .map(({ answer: other }) =>
          typeof other === 'string' && other.includes(' ') ? 'other values' : code(JSON.stringify(other)),
        )
        .join(', '),
    ])
  const fixed = records.flatMap(({ id, fixed }) => (fixed ? [code(id)] : []))
  return `${table(['question', 'default', 'other answers'], rows)}\n\nQuestions without alternatives: ${fixed.join(', ')}.`
}

function rulesTable(): string {
  const rows = Object.entries(clientRules).map(([id, { severity, condition }]) => [
    code(id),
    severity,
    condition,
  ])
  return table(['rule', 'severity', 'what breaks it'], rows)
}

const tables: Readonly<Record<string, () => string>> = {
  operations: operationsTable,
  refusals: refusalsTable,
  fidelity: fidelityTable,
  plans: plansTable,
  questions: questionsTable,
  unobservable: () =>
    table(
      ['question', 'why its answer cannot be observed'],
      Object.entries(unobservable).map(([id, why]) => [code(id), why]),
    ),
  'client-rules': rulesTable,
}

const root = new URL('../', import.meta.url)

/** The pages that contain tables, with the tables regenerated. */
export function pagesWithTables(): Record<string, string> {
  const missing = new Set(Object.keys(tables))
  const made = pages.map((page): [string, string] => {
    const text = readFileSync(new URL(page, root), 'utf8')
    const fresh = text.replace(/<!-- ([\w-]+) -->[^]*?<!-- \/\1 -->/g, (_, name: string) => {
      const make = tables[name]
      if (!make) throw new Error(`${page} has a mark for table ${name}, but no such table is generated`)
      missing.delete(name)
      return `<!-- ${name} -->\n\n${make()}\n\n<!-- /${name} -->`
    })
    return [page, fresh]
  })
  if (missing.size > 0) throw new Error(`no page has marks for these tables: ${[...missing].join(', ')}`)
  return Object.fromEntries(made)
}
