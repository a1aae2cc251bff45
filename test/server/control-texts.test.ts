// What the control API says to an HTTP client: remedies as commands, and the document's version.
import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { authorization, served } from './support/served.ts'

const mock = createWorkspaceMock()
const server = served(mock)

describe('GET /__mock/explain', () => {
  const submit = (prefix = '') =>
    fetch(`${server.url}${prefix}/v1/datatables/tbl_cuppings/jobs/insert`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"rows":[{}]}',
    })

  it.each(['', '/sandboxes/runner-1'])('answers a remedy as a command that works, at %j', async (prefix) => {
    const control = `${server.url}${prefix}/__mock`
    await fetch(`${control}/workspace`, { method: 'PATCH', body: '{"plan":"free"}' })
    expect((await submit(prefix)).status).toBe(403)
    const text = await (await fetch(`${control}/explain`)).text()
    const [, command = ''] = /remedy: (curl .*)/.exec(text) ?? []
    expect(command).toContain(`-X PATCH ${control}/workspace`)
    // The server lives in this process, so that curl must not block it.
    await new Promise((resolve) => spawn('sh', ['-c', command], { stdio: 'ignore' }).on('close', resolve))
    expect((await submit(prefix)).status).toBe(202)
  })

  it('answers the line of a test in process', async () => {
    mock.setPlan('free')
    await submit()
    expect(mock.explain()).toContain("remedy: mock.setPlan('pro', 'wsp_hafenrost')")
  })
})

describe('GET /__mock/openapi.json', () => {
  const read = async (query: string) => {
    const response = await fetch(`${server.url}/__mock/openapi.json${query}`)
    return { status: response.status, body: await response.json() }
  }

  it('answers 3.1 by default, and 3.0 when openapi is 3.0', async () => {
    expect((await read('')).body.openapi).toMatch(/^3\.1\./)
    expect((await read('?openapi=3.1')).body.openapi).toMatch(/^3\.1\./)
    expect((await read('?openapi=3.0')).body).toMatchObject({
      openapi: '3.0.3',
      servers: [{ url: server.baseUrl }],
    })
  })

  it.each(['2.0', '3', ''])('answers 400 with what is allowed when openapi is %j', async (version) => {
    const { status, body } = await read(`?openapi=${version}`)
    expect(status).toBe(400)
    expect(body.error).toContain('openapi must be one of 3.1, 3.0')
  })
})
