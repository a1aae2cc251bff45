// The oldest supported Node is the same in the check, package.json and the pages.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findNodeVersionProblem } from '../../src/mock/node-version.ts'

const on = (versions: Record<string, string>) => findNodeVersionProblem({ process: { versions } })

test.each(['18.20.4', '20.9.0', '20.18.3'])('Node %s is refused by name', (node) => {
  expect(on({ node })).toBe(`workspace-api-mock needs Node 20.19 or newer; this is Node ${node}`)
})

test.each([
  { node: '20.19.0' },
  { node: '22.1.0' },
  { node: '20.11.1', deno: '2.1.0' },
  { node: '18.0.0', bun: '1.0.0' },
  {},
])('%j is not', (versions) => {
  expect(on(versions)).toBeUndefined()
})

test('a page has no process', () => {
  expect(findNodeVersionProblem({})).toBeUndefined()
})

test('package.json names the same', () => {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(engines.node).toBe('>=20.19.0')
})
