// Real time that passes during a run, such as in loader hooks and files, does not count as the client's.
import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { execFile } from 'node:child_process'
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWorkspaceMock, type ExploreContext, type WorkspaceMock } from 'workspace-api-mock'

const folder = mkdtempSync(join(tmpdir(), 'explore-turns-'))
beforeEach((context) => context.onTestFinished(() => void vi.useRealTimers()))
afterEach(() => rmSync(join(folder, 'large.txt'), { force: true }))

const entry = pathToFileURL('src/index.ts').href
/** Explores a client whose requests have a time limit on the clock of the run. */
const script = `
import { createWorkspaceMock } from ${JSON.stringify(entry)}
const families = ['compatibility', 'concurrency', 'outcomes']
const { findings } = await createWorkspaceMock().explore(async ({ baseUrl, key, fetch, sleep }) => {
  const get = (path) => {
    const tooLate = sleep(5000).then(() => { throw new Error('timed out: ' + path) })
    tooLate.catch(() => undefined)
    const headers = { authorization: 'Bearer ' + key }
    return Promise.race([tooLate, fetch(baseUrl + path, { headers }).then((response) => response.json())])
  }
  for (const path of ['/me', '/lists', '/lists/lst_production/tasks?limit=200']) await get(path)
}, { families })
console.log(JSON.stringify(findings.map(({ message }) => message).filter((text) => text.includes('timed out'))))
`
const hooks = `
import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(\`
  export async function resolve(name, context, next) {
    await new Promise((done) => setTimeout(done, 5))
    return next(name, context)
  }\`))
`

test.for([
  ['tsx', '--import=tsx'],
  ['tsx and slow hooks', '--import=tsx', `--import=data:text/javascript,${encodeURIComponent(hooks)}`],
])('explore lets no time limit end a request under %s', async ([, ...flags]) => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    '--input-type=module',
    '--eval',
    script,
  ])
  expect(JSON.parse(stdout)).toEqual([])
})

test('explore lets no time limit end an upload that reads a file', async () => {
  const path = join(folder, 'large.txt')
  writeFileSync(path, 'a'.repeat(300_000))
  const ended = await createWorkspaceMock().explore(
    async ({ baseUrl, key, fetch, sleep }) => {
      const tooLate = sleep(5000).then(() => {
        throw new Error('timed out')
      })
      tooLate.catch(() => undefined)
      const body = new FormData()
      body.append('file', await openAsBlob(path, { type: 'text/plain' }), 'large.txt')
      const headers = { authorization: `Bearer ${key}` }
      const send = fetch(`${baseUrl}/tasks/tsk_label/attachments`, { method: 'POST', headers, body })
      const { ok } = await Promise.race([tooLate, send])
      if (!ok) throw new Error('refused')
    },
    { families: ['compatibility'] },
  )
  expect(ended.findings.map(({ message }) => message)).not.toContainEqual(
    expect.stringContaining('timed out'),
  )
})

test('explore sees no hang in a timer of 0 ms that is set again and again until a late response', async () => {
  vi.useFakeTimers()
  const send = ({ baseUrl, key, fetch }: ExploreContext<WorkspaceMock>) =>
    fetch(`${baseUrl}/tasks/tsk_label`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"priority":"high"}',
    })
  const { findings } = await createWorkspaceMock().explore(
    async (context) => {
      const client = new QueryClient({ defaultOptions: { mutations: { gcTime: 0 } } })
      const observer = new MutationObserver(client, { mutationFn: () => send(context) })
      const unsubscribe = observer.subscribe(() => undefined)
      const sent = observer.mutate()
      unsubscribe()
      await sent
    },
    { families: ['latency'] },
  )
  expect(findings).toEqual([])
})
