// Owns the tables of the README that are made from data, each between a pair of marks.
import { readFileSync } from 'node:fs'
import { clientRules } from '../src/contract/client-rules.ts'
import { errorKinds, generalErrors, limitNames } from '../src/contract/errors.ts'
import { Plan } from '../src/contract/identity.ts'
import { operationList } from '../src/contract/index.ts'
import { errorKindsOf } from '../src/contract/operation.ts'
import { defaultAnswers, questionRecords } from '../src/contract/questions.ts'
import { defaultScopes } from '../src/contract/scopes.ts'
import { limitOf } from '../src/model/plans.ts'

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const code = (text: string) => `\`${text}\``

function operationsTable(): string {
  const rows = operationList.map((operation) => {
    const statuses = [
      ...new Set(errorKindsOf(operation, generalErrors).map((kind) => errorKinds[kind].status)),
    ]
    const errors = statuses
      .sort((a, b) => a - b)
      .map((status) => (operation.documentedErrors.includes(status) ? String(status) : `(${String(status)})`))
    return [
      code(operation.id),
      code(`${operation.method} ${operation.path}`),
      `${String(operation.success.status)} ${errors.join(' ')}`,
      code(defaultScopes[operation.id]),
    ]
  })
  return table(['operation', 'method and path', 'statuses', 'scope'], rows)
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
  const rows = questionRecords().map(({ id, notShown, default: answer, meanings, fixed }) => [
    code(id),
    notShown,
    fixed ? `fixed: ${meanings[0]?.meaning ?? ''}` : code(JSON.stringify(answer)),
    meanings
      .slice(1)
      .map((meaning) => code(JSON.stringify(meaning.answer)))
      .join(', '),
  ])
  return table(['question', 'what the contract does not show', 'default', 'other answers'], rows)
}

function rulesTable(): string {
  const rows = Object.entries(clientRules).map(([id, { severity, condition, advice }]) => [
    code(id),
    severity,
    `${condition} ${advice}`,
  ])
  return table(['rule', 'severity', 'what breaks it, and what to do'], rows)
}

const tables: Readonly<Record<string, () => string>> = {
  operations: operationsTable,
  plans: plansTable,
  questions: questionsTable,
  'client-rules': rulesTable,
}

/** The README with its tables made anew. */
export function readmeText(): string {
  let text = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  for (const [name, make] of Object.entries(tables)) {
    const between = new RegExp(`(<!-- ${name} -->)[^]*?(<!-- /${name} -->)`)
    if (!between.test(text)) throw new Error(`the README has no place for the table ${name}`)
    text = text.replace(between, (_, start: string, end: string) => `${start}\n\n${make()}\n\n${end}`)
  }
  return text
}
