// The titles of the behaviour suite: an operation and its status, or a method of the mock.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { operationIds } from '../../src/contract/scopes.ts'
import { createWorkspaceMock } from '../../src/index.ts'

const root = fileURLToPath(new URL('../behaviour/', import.meta.url))
const mock = createWorkspaceMock({ fixture: 'empty' })

/** Subjects other than one operation: all 42, several of a kind, and requests that match none. */
const others = ['every operation', 'the other listings', 'an unknown path']
/** Placeholders for the operation in titles of `it.each` and `describe.each`. */
const values = ['%s', String.raw`\$\{operation\}`]
const subject = [...operationIds, ...others, ...values].join('|')
const status = String.raw`(?:[1-5](?:\d\d|xx)|%[is])`
const operationTitle = new RegExp(
  `^(?:${subject})(?:(?:, | and )(?:${subject}))* answers? ${status}(?:(?:, | or | and )${status})*[ ,].*\\bwhen `,
)
const methodTitle = /^mock\.(\w+)(?:\.(\w+))?\(.*?\) /

function isMethod(title: string): boolean {
  const [, member = '', method] = methodTitle.exec(title) ?? []
  const value: unknown = Reflect.get(mock, member)
  return typeof (method === undefined ? value : Reflect.get(Object(value), method)) === 'function'
}

/** A title as written, including placeholders. */
const textOf = (node: ts.Expression) => node.getText().slice(1, -1)

/** The titles of `it(...)` and `it.each(...)(...)` in a file. */
function titlesOf(path: string): readonly string[] {
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:it|test)\b/.test(node.expression.getText()) && node.arguments[1])
      titles.push(textOf(node.arguments[0]!))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true))
  return titles
}

it('every test of the behaviour suite is titled by operation, status and condition, or by a method', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.test.ts'),
  )
  const titles = files.flatMap((path) => titlesOf(root + path).map((title) => `${path}: ${title}`))
  expect(titles.length).toBeGreaterThan(600)
  const isTitle = (entry: string) => {
    const title = entry.slice(entry.indexOf(': ') + 2)
    return operationTitle.test(title) || isMethod(title)
  }
  expect(titles.filter((entry) => !isTitle(entry))).toEqual([])
})
