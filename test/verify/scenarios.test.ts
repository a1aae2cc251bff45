// Checks that scenarios are named after operations and open questions, each once, and that every operation has one.
import { expect, test } from 'vitest'
import { questionIds } from '../../src/contract/questions/register.ts'
import { operationIds } from '../../src/contract/scopes.ts'
import { scenarios } from '../../src/tools/verify/scenarios/all.ts'
import { makesSpace } from '../../src/tools/verify/scenarios/spaces.ts'

const all = [makesSpace, ...scenarios]

test('every scenario has operations and a source that exist', () => {
  for (const { operations, source } of all) {
    for (const operation of operations) expect(operationIds).toContain(operation)
    if ('assumption' in source) expect(questionIds).toContain(source.assumption)
  }
})

test('no operation has two scenarios of one name', () => {
  const names = all.flatMap(({ operations, id }) => operations.map((operation) => `${operation}/${id}`))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('every operation is what a scenario is about', () => {
  const about = new Set(all.map(({ operations: [first] }) => first))
  expect(operationIds.filter((id) => !about.has(id))).toEqual([])
})
