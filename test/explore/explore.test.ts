import { expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { Client } from './clients.ts'

test('exploreFaults finds nothing in a careful client at depth 2', async () => {
  const mock = createWorkspaceMock()
  const result = await mock.exploreFaults(
    async (context) => {
      const client = new Client(context)
      const [list] = await client.lists()
      const { id } = await client.task(list!.id, 'Cupping', { due_date: 1767700000 })
      await client.comment(id, `see ${id}`)
      await client.update(id, { priority: 'high' })
    },
    { depth: 2 },
  )
  console.log(String(result))
  expect(result.findings).toEqual([])
})

test('exploreFaults finds what a client makes twice', async () => {
  const mock = createWorkspaceMock()
  const result = await mock.exploreFaults(
    async (context) => {
      const client = new Client(context, false)
      const [list] = await client.lists()
      const { id } = await client.task(list!.id, 'Cupping')
      await client.comment(id, `see ${id}`)
      await client.update(id, { priority: 'high' })
    },
    { depth: 1 },
  )
  console.log(String(result))
  expect(result.findings).toHaveLength(2)
})

test('exploreFaults judges waits whatever the clock does', async () => {
  const mock = createWorkspaceMock()
  const retries = async (
    context: Parameters<Parameters<typeof mock.exploreFaults>[0]>[0],
    waitMs: number,
  ) => {
    for (;;) {
      const response = await context.fetch(`${context.baseUrl}/me`, {
        headers: { authorization: `Bearer ${context.key}` },
      })
      if (response.ok) return
      if (waitMs > 0) await context.sleep(waitMs)
    }
  }
  const hasty = await mock.exploreFaults((context) => retries(context, 0))
  expect(hasty.findings.map(({ kind, rule }) => rule ?? kind)).toEqual(['retry-after', 'gave up'])
  const slow = await mock.exploreFaults((context) => retries(context, 3000))
  expect(slow.findings.map(({ kind }) => kind)).toEqual(['gave up'])
})
