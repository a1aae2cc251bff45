// Whether the titles of rules name what there is: operations and open questions.
import { expect, test } from 'vitest'
import { questionIds } from '../../src/contract/questions/register.ts'
import { operationIds } from '../../src/contract/scopes.ts'
import { rules } from '../../src/verify/rules/rules.ts'

test('every rule has an operation and a source that exist', () => {
  for (const { operation, source, says } of rules) {
    expect(['general', ...operationIds]).toContain(operation)
    if ('assumption' in source) expect(questionIds).toContain(source.assumption)
    expect(says).not.toMatch(/\((?:contract|assumption)\b/)
  }
})

test('no operation has two rules of one name', () => {
  const names = rules.map(({ operation, id }) => `${operation}/${id}`)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('there are as many rules as src/verify/README.md says', () => {
  expect([rules.length, rules.filter(({ needs }) => needs === 'read').length]).toEqual([638, 253])
})
