// Reaches, for every operation, the outcomes that the behaviour suite reaches only for some.
import { describe, expect, it } from 'vitest'
import { operations, type OperationId } from '../../../src/contract/index.ts'
import { stateOf, useMock } from '../../behaviour/support/harness.ts'
import { goodRequests } from '../../behaviour/support/requests.ts'

const withBody = goodRequests.filter(({ id }) => 'body' in operations[id as OperationId])

describe('outcomes', () => {
  const { api, control } = useMock({ answers: { bodyBytes: 20 } })

  it.each(withBody)('$id answers 413 when the body is too large', async ({ method, path }) => {
    const before = await stateOf(control)
    const reply = await api.call(method, path, { json: { text: 'longer than twenty bytes' } })
    expect(reply.status).toBe(413)
    expect(reply.json).toEqual({ error: 'body must have at most 20 bytes' })
    expect(await stateOf(control)).toEqual(before)
  })
})
