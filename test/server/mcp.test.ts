// /__mock/mcp: the controls as tools, through the official client.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { operationIds } from '../../src/contract/scopes.ts'
import { authorization, served } from './support/served.ts'

const mock = createWorkspaceMock()
const server = served(mock)
const client = new Client({ name: 'test', version: '1.0.0' })

beforeAll(() => client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/__mock/mcp`))))
afterAll(() => client.close())

async function call(name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args })
  const [{ text }] = content as unknown as [{ text: string }]
  return { text, isError }
}

const me = (headers = {}) => fetch(`${server.baseUrl}/me`, { headers: { authorization, ...headers } })

describe('the tools', () => {
  it('have a sentence each, and say which only read', async () => {
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThanOrEqual(12)
    for (const { description = '' } of tools) expect(description).toMatch(/^[A-Z].*\.$/)
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint)
    expect(reading.map(({ name }) => name).sort()).toEqual(
      ['coverage', 'describe_operation', 'explain', 'reason', 'report', 'request', 'requests'].sort(),
    )
  })

  it('set_fault makes a request fail, and explain, requests and reason say why', async () => {
    await call('set_fault', { body: { operation: 'getIdentity', status: 503 } })
    expect((await me()).status).toBe(503)
    expect((await call('explain')).text).toContain('503 (getIdentity)')
    const [entry] = JSON.parse((await call('requests', { status: '5xx' })).text).requests
    expect(entry).toMatchObject({ operation: 'getIdentity', status: 503 })
    expect(JSON.parse((await call('reason', { id: entry.id })).text).reason.facts.join()).toContain('fault')
    expect(JSON.parse((await call('request', { id: entry.id })).text)).toMatchObject({ id: entry.id })
  })

  it('seed, save_snapshot, restore_snapshot, change_workspace, advance_clock and reset change the state', async () => {
    await call('save_snapshot', { name: 'before' })
    await call('seed', { body: { tasks: [{ list_id: 'lst_support', title: 'Seeded' }] } })
    expect(mock.db.tasks.findMany((query) => query.where({ title: 'Seeded' }))).toHaveLength(1)
    await call('restore_snapshot', { name: 'before' })
    expect(mock.db.tasks.findMany((query) => query.where({ title: 'Seeded' }))).toHaveLength(0)
    await call('change_workspace', { plan: 'free' })
    expect((await (await me()).json()).workspace.plan).toBe('free')
    const now = mock.clock.now()
    await call('advance_clock', { by: '1h' })
    expect(mock.clock.now()).toBe(now + 3600)
    await call('reset')
    expect(mock.clock.now()).toBe(now)
  })

  it('act on the sandbox that they name', async () => {
    await call('set_fault', { body: { operation: 'getIdentity', status: 500 }, sandbox: 'agent' })
    expect((await me()).status).toBe(200)
    expect((await me({ 'x-mock-sandbox': 'agent' })).status).toBe(500)
    expect((await call('explain', { sandbox: 'agent' })).text).toContain('500 (getIdentity)')
  })

  it('describe_operation lists all operations, and gives one with its schemas', async () => {
    const { text } = await call('describe_operation')
    expect(text.split('\n')).toHaveLength(operationIds.length)
    const one = JSON.parse((await call('describe_operation', { operation: 'createTask' })).text)
    expect(one).toMatchObject({ method: 'post', path: '/lists/{listId}/tasks' })
    expect(one.schemas.TaskCreate.properties).toHaveProperty('title')
    expect(await call('describe_operation', { operation: 'createTsk' })).toMatchObject({ isError: true })
  })

  it('coverage and report answer what the control API answers', async () => {
    await me()
    expect((await call('coverage')).text).toContain(
      'POST /__mock/faults {"operation":"getIdentity","status":401}',
    )
    expect(JSON.parse((await call('report')).text)).toEqual({ findings: [] })
  })

  it('answer the error of the control API for wrong arguments', async () => {
    const wrong = await call('set_fault', { body: { operation: 'getIdentty' } })
    expect(wrong.isError).toBe(true)
    expect(wrong.text).toContain('getIdentity')
    expect(await call('restore_snapshot', { name: 'none' })).toMatchObject({ isError: true })
  })
})

it('POST /__mock/mcp answers 403 to a page of another origin', async () => {
  const headers = { 'content-type': 'application/json', origin: 'http://evil.example' }
  const response = await fetch(`${server.url}/__mock/mcp`, { method: 'POST', headers, body: '{}' })
  expect(response.status).toBe(403)
})

it.each(['GET', 'DELETE'])('%s /__mock/mcp answers 405', async (method) => {
  expect((await fetch(`${server.url}/__mock/mcp`, { method })).status).toBe(405)
})
