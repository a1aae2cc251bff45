// The OpenAPI document from the command line and the control API.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/node.ts'
import { openApiDocument } from '../../src/openapi.ts'

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

function openapi(...flags: string[]): Promise<Ended> {
  const run = [inject('cli'), 'openapi', ...flags]
  return new Promise((resolve) => {
    execFile(process.execPath, run, { maxBuffer: 1 << 24 }, (error, out, err) => {
      resolve({ code: error ? 1 : 0, out, err })
    })
  })
}

describe('workspace-api-mock openapi', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-command-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('prints the document', async () => {
    const { code, out } = await openapi()
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual(openApiDocument())
  })

  it('takes base address, answers and a file to write to', async () => {
    const [answers, file] = [join(folder, 'answers.json'), join(folder, 'openapi.json')]
    await writeFile(answers, '{"taskReadExtras": true}')
    const baseUrl = 'http://127.0.0.1:4010/v1'
    const { code, out } = await openapi('--base-url', baseUrl, '--answers', answers, '--out', file)
    expect({ code, out }).toEqual({ code: 0, out: '' })
    const expected = openApiDocument({ baseUrl, answers: { taskReadExtras: true } })
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(expected)
  })

  it('names the fault', async () => {
    const answers = join(folder, 'wrong.json')
    await writeFile(answers, '{"rowShape": "round"}')
    const [wrongAnswer, wrongUrl, wrongFile] = await Promise.all([
      openapi('--answers', answers),
      openapi('--base-url', 'nowhere'),
      openapi('--out', join(folder, 'no', 'such', 'folder.json')),
    ])
    expect(wrongAnswer).toMatchObject({
      code: 1,
      err: expect.stringContaining('wrong.json: question rowShape'),
    })
    expect(wrongUrl).toMatchObject({ code: 1, err: expect.stringContaining('baseUrl must be') })
    expect(wrongFile).toMatchObject({ code: 1, err: expect.stringContaining('cannot be written') })
  })
})

describe('GET /__mock/openapi.json', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await serve(createWorkspaceMock(), { port: 0 })
  })
  afterAll(() => server.close())

  const get = async (headers: Record<string, string> = {}): Promise<unknown> =>
    (await fetch(`${server.url}/__mock/openapi.json`, { headers })).json()

  it('responds with the document for the address of the request', async () => {
    expect(await get()).toEqual(openApiDocument({ baseUrl: `${server.url}/v1` }))
  })

  it('follows the answers of the sandbox', async () => {
    const sandbox = { 'x-mock-sandbox': 'flat' }
    const body = JSON.stringify({ rowShape: 'flat' })
    await fetch(`${server.url}/__mock/answers`, { method: 'PUT', headers: sandbox, body })
    const expected = openApiDocument({ baseUrl: `${server.url}/v1`, answers: { rowShape: 'flat' } })
    expect(await get(sandbox)).toEqual(expected)
    expect(await get()).not.toEqual(expected)
  })
})
