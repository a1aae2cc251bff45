// Checks that the stored examples fit their schemas. The test of generated files checks that they match the demo mock.
import { describe, expect, it } from 'vitest'
import { errorKinds } from '../../src/contract/errors.ts'
import { operationList } from '../../src/contract/index.ts'
import { defaultAnswers } from '../../src/contract/questions/register.ts'
import { resolveSchema } from '../../src/contract/operation.ts'
import { exampleOf, recordedBaseUrl } from '../../src/tools/openapi/examples.ts'
import { openApiDocument } from '../../src/openapi.ts'
import { operationsOf } from './support/document.ts'

const exampleFor = (id: (typeof operationList)[number]['id']) => {
  const example = exampleOf(id, defaultAnswers, recordedBaseUrl)
  if (!example) throw new Error(`${id} has no example`)
  return example
}

describe('the stored examples', () => {
  it.each(operationList.map((spec) => [spec.id, spec] as const))('of %s fit its schemas', (id, spec) => {
    const { json, multipart, response } = exampleFor(id)
    const { body, success } = spec
    if (body?.json) expect(body.json.safeParse(json).error).toBeUndefined()
    else expect(json).toBeUndefined()
    if (body?.multipart) expect(multipart).toHaveProperty('file')
    else expect(multipart).toBeUndefined()
    if (body?.multipart?.data)
      expect(body.multipart.data.safeParse((multipart as { data?: unknown }).data).error).toBeUndefined()
    if ('binary' in success) expect(response).toBeTypeOf('string')
    else expect(resolveSchema(success.schema, defaultAnswers).safeParse(response).error).toBeUndefined()
  })
})

describe('the document', () => {
  it('shows an example of every success and of every request body', () => {
    for (const [id, { responses, requestBody }] of operationsOf(openApiDocument())) {
      const [success] = Object.values(responses)
      for (const media of [
        ...Object.values(success?.content ?? {}),
        ...Object.values(requestBody?.content ?? {}),
      ])
        expect(media.examples, id).toHaveProperty('demo.value')
    }
  })

  it('shows an example of each kind of error, with the facts that the kind has', () => {
    for (const [id, { responses }] of operationsOf(openApiDocument())) {
      const [, ...errors] = Object.entries(responses)
      for (const [status, { content, 'x-error-kinds': kinds = [] }] of errors) {
        const { examples = {} } = content?.['application/json'] ?? {}
        expect(Object.keys(examples), `${id} ${status}`).toEqual(kinds)
        for (const kind of kinds) {
          const facts = 'limit' in errorKinds[kind] ? ['limitReached', 'resource', 'limit', 'current'] : []
          const expected = ['error', ...facts, ...(status === '503' ? ['transient'] : [])]
          const { value } = examples[kind] as { readonly value: { limit?: number; current?: number } }
          expect(Object.keys(value), `${id} ${kind}`).toEqual(expected)
          const { limit = 0, current = 0 } = value
          const isReached = 'inUse' in errorKinds[kind] || kind === 'asyncBulk' || facts.length === 0
          expect(current, `${id} ${kind}`).toBe(isReached ? limit : limit + 1)
        }
      }
    }
  })

  it('deletes nothing in its examples that a later example names', () => {
    const deleted: string[] = []
    for (const { id, method } of operationList) {
      const path = Object.values(exampleFor(id).path ?? {})
      expect(
        path.filter((value) => deleted.includes(value)),
        id,
      ).toEqual([])
      if (method === 'DELETE') deleted.push(path.at(-1) ?? '')
    }
    expect(deleted).toHaveLength(6)
  })

  it('shows none where other answers about shapes make it wrong', () => {
    const operations = operationsOf(openApiDocument({ answers: { rowShape: 'flat' } }))
    const examples = (id: string) =>
      operations.get(id)?.responses[200]?.content?.['application/json']?.examples
    expect(examples('getRow')).toBeUndefined()
    expect(examples('getTask')).toHaveProperty('demo.value')
  })
})
