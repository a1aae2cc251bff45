// The command `pull` as users see it: its flags, what it writes, how it resumes after an interruption, how it ends.
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { serve, type RunningServer } from 'workspace-api-mock/node'
import { readsOf } from '../pull/support/reads.ts'
import { recorderOf } from '../pull/support/recorder.ts'
import { directory, run as runCommand, runOnFullDisk } from './support/command-line.ts'

process.env.WORKSPACE_API_KEY = 'wm_demo_master'
const out = join(directory, 'company.json')
/** The file written by an uninterrupted pull. */
const whole = join(directory, 'whole.json')
const partial = join(directory, 'company.partial.json')
const source = createWorkspaceMock({ answers: { rowShape: 'flat' } })
let server: RunningServer
beforeAll(async () => {
  server = await serve(source, { port: 0 })
})
beforeEach(() => {
  source.reset()
  rmSync(partial, { force: true })
})
afterAll(async () => {
  await server.close()
})

let requestsOfWhole = 0
const start = (...flags: string[]) => runCommand('pull', '--base-url', server.baseUrl, ...flags)
async function run(...flags: string[]) {
  const process = start(...flags)
  const code = await process.ended
  return { code, stdout: process.out, stderr: process.err }
}
const fixtureIn = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

test('pull writes a fixture and answers with which a mock responds as the deployment does', async () => {
  const { code, stdout, stderr } = await run('--out', whole)
  expect(code).toBe(0)
  requestsOfWhole = source.requests().length
  expect(stdout).toBe('')
  expect(stderr).toContain(`serve --fixture ${whole} --answers ${join(directory, 'whole.answers.json')}`)
  // Says what reading cannot show.
  expect(stderr).toMatch(/Not in the fixture, or assumed:[\s\S]*priorit/)
  expect(existsSync(join(directory, 'whole.partial.json'))).toBe(false)
  const mock = createWorkspaceMock({
    fixture: fixtureIn(whole),
    answers: fixtureIn(join(directory, 'whole.answers.json')),
  })
  const fresh = createWorkspaceMock({ answers: { rowShape: 'flat' } })
  expect(await readsOf(mock, 'wm_pulled_master')).toEqual(await readsOf(fresh, 'wm_demo_master'))
})

test('pull ends with 2 at SIGINT, and resumes without repeating requests', async () => {
  const interrupted = start('--out', out)
  const stop = setInterval(() => {
    if (source.requests().length <= 60) return
    clearInterval(stop)
    interrupted.child.kill('SIGINT')
  }, 5)
  expect(await interrupted.ended).toBe(2)
  expect(interrupted.err).toContain(`What was read is kept in ${partial}`)
  expect(readFileSync(partial, 'utf8')).not.toContain('wm_demo_master')
  expect(statSync(partial).mode & 0o077).toBe(0)
  const first = source.requests().length
  source.clearRequests()
  const resumed = await run('--out', out)
  expect(resumed.code).toBe(0)
  expect(resumed.stderr).toContain('of an earlier pull, kept in')
  const second = source.requests().length
  expect(existsSync(partial)).toBe(false)
  expect(readFileSync(out, 'utf8')).toBe(readFileSync(whole, 'utf8'))
  // Every pull starts with one request that checks whether there is anything to read.
  expect(first + second).toBeLessThanOrEqual(requestsOfWhole + 3)
})

test('pull --rows, --files and --anonymize change the fixture', async () => {
  const { code, stdout } = await run('--rows', '3', '--files', '--anonymize')
  expect(code).toBe(0)
  const { workspaces, files } = JSON.parse(stdout)
  for (const { rows } of workspaces[0].tables) expect(rows.length).toBeLessThanOrEqual(3)
  expect(stdout).not.toContain('wm_demo')
  expect(source.requests({ operation: 'downloadTaskAttachment' }).length).toBeGreaterThan(0)
  expect(Object.keys(files).length).toBeGreaterThan(0)
})

test.for([
  ['a wrong key', ['--api-key', 'nope'], /401|key/i],
  ['an address without a server', ['--base-url', 'http://127.0.0.1:59999/v1'], /cannot be reached/],
  ['an invalid number of rows', ['--rows', 'many'], /rows/],
  ['a missing file of answers', ['--answers', '/nowhere.json'], /nowhere\.json/],
  ['a missing folder', ['--out', '/nowhere/company.json'], /nowhere/],
] as const)('pull ends with 2 and names the fault with %s', async ([, flags, message]) => {
  const { code, stderr } = await run(...flags)
  expect(stderr).toMatch(message)
  expect(stderr).not.toContain('    at ')
  expect(code).toBe(2)
})

test('pull ends with 2 and sends no request where the fixture could not be written', async () => {
  const { code, stderr } = await run('--out', directory)
  expect(stderr).toContain(`${directory} cannot be written`)
  expect(code).toBe(2)
  expect(source.requests()).toEqual([])
})

test('pull ends with 2 and changes nothing where the file of the kept responses is of something else', async () => {
  writeFileSync(partial, '{"mine":1}\n')
  const { code, stderr } = await run('--out', out)
  expect(code).toBe(2)
  expect(stderr).toContain(`${partial} holds no responses from a pull`)
  expect(readFileSync(partial, 'utf8')).toBe('{"mine":1}\n')
})

test('pull ends with 2 and sends no request with a key that no header can carry', async () => {
  const { code, stderr } = await run('--api-key', 'wm_demo\nmaster')
  expect(code).toBe(2)
  expect(stderr).toContain('--api-key must consist of visible ASCII characters')
  expect(stderr).not.toContain('wm_demo')
  expect(source.requests()).toEqual([])
})

test('pull prints counts, answers, and file names quoted for a shell', async () => {
  const file = join(directory, "Ada's company.JSON")
  const [printed, written] = [await run('--rows', '3'), await run('--rows', '3', '--out', file)]
  const { workspaces } = JSON.parse(printed.stdout)
  const [{ tables, spaces, forms }] = workspaces
  const lists = spaces.flatMap((space: any) => space.lists)
  const [rows, tasks] = [tables.flatMap((table: any) => table.rows), lists.flatMap((list: any) => list.tasks)]
  const sizes = [rows, tables, tasks, lists, forms].map(({ length }) => length)
  const names = ['rows', 'tables', 'tasks', 'lists', 'forms']
  const counts = sizes.map((size, index) => `${String(size)} ${names[index] ?? ''}`).join(', ')
  expect(printed.stderr).toContain(`Pulled ${counts} with`)
  expect(printed.stderr).toContain('- Answers that the fixture needs: {"rowShape":"flat"')
  const quoted = (name: string) => `'${join(directory, name).replace("'", `'\\''`)}'`
  expect(written.stderr).toContain(
    `workspace-api-mock serve --fixture ${quoted("Ada's company.JSON")} --answers ${quoted("Ada's company.answers.json")}\n`,
  )
  expect(written.stderr).not.toContain('Answers that the fixture needs')
})

test('pull ends with 2 where the kept responses are of another deployment', async () => {
  writeFileSync(partial, '["","https://other.example/v1"]\n')
  const { code, stderr } = await run('--out', out)
  expect(code).toBe(2)
  expect(stderr).toContain('from another deployment')
})

/** A file from an earlier pull, which a failing pull must not change. */
const earlier = '{"name":"yesterday"}'

test('pull leaves the fixture of an earlier one where a listing always answers 400, and ends with 1', async () => {
  writeFileSync(out, earlier)
  source.fault({ operation: 'listTasks', status: 400, times: null })
  const { code, stderr } = await run('--out', out, '--rows', '3')
  expect(stderr).toMatch(/GET \/lists\/\w+\/tasks responded with status 400.*5 times/)
  expect(stderr).toContain(`${out} was not changed`)
  expect(readFileSync(out, 'utf8')).toBe(earlier)
  const incomplete = join(directory, 'company.incomplete.json')
  expect(createWorkspaceMock({ fixture: fixtureIn(incomplete) }).db.forms.count()).toBeGreaterThan(1)
  expect(code).toBe(1)
})

test('pull leaves the fixture of an earlier one where the disk is full, and ends with 2', async () => {
  writeFileSync(out, earlier)
  const limited = runOnFullDisk(20, 'pull', '--base-url', server.baseUrl, '--out', out)
  expect(await limited.ended).toBe(2)
  expect(limited.err).toMatch(/company\.(?:partial\.)?json cannot be written/)
  expect(readFileSync(out, 'utf8')).toBe(earlier)
})

test('pull --har writes what a recording shows, without a deployment', async () => {
  const { har, fetch } = recorderOf(source)
  const headers = { authorization: 'Bearer wm_demo_master' }
  for (const path of ['/me', '/spaces', '/lists'])
    await fetch(new Request(source.baseUrl + path, { headers }))
  const recording = join(directory, 'incident.har')
  writeFileSync(recording, JSON.stringify(har()))
  const process = runCommand('pull', '--har', recording, '--out', out)
  expect(await process.ended).toBe(0)
  expect(process.err).toContain('Not recorded: listDatatables (once)')
  expect(createWorkspaceMock({ fixture: fixtureIn(out) }).db.lists.count()).toBeGreaterThan(3)
  writeFileSync(recording, '{"log":7}')
  const broken = runCommand('pull', '--har', recording)
  expect(await broken.ended).toBe(2)
  expect(broken.err).toContain('incident.har is not a recording in HAR format')
})

test('pull --har reads bodies in files beside the recording, as Playwright writes them, and ends with 1 without them', async () => {
  const { har, fetch } = recorderOf(source)
  const headers = { authorization: 'Bearer wm_demo_master' }
  for (const path of ['/me', '/spaces']) await fetch(new Request(source.baseUrl + path, { headers }))
  const recorded = har()
  for (const [index, { response }] of recorded.log.entries.entries()) {
    const { text, encoding, ...content } = response.content
    writeFileSync(join(directory, `body-${String(index)}.json`), Buffer.from(text, encoding ?? 'utf8'))
    response.content = { ...content, _file: `body-${String(index)}.json` }
  }
  const recording = join(directory, 'playwright.har')
  writeFileSync(recording, `\uFEFF${JSON.stringify(recorded)}`)
  const whole = runCommand('pull', '--har', recording, '--out', out)
  expect(await whole.ended).toBe(0)
  expect(createWorkspaceMock({ fixture: fixtureIn(out) }).db.spaces.count()).toBeGreaterThan(1)
  rmSync(join(directory, 'body-0.json'))
  const part = runCommand('pull', '--har', recording, '--out', out)
  expect(await part.ended).toBe(1)
  expect(part.err).toContain('getIdentity has its body in a file that is missing')
  expect(createWorkspaceMock({ fixture: fixtureIn(out) }).db.spaces.count()).toBeGreaterThan(1)
  rmSync(join(directory, 'body-1.json'))
  const nothing = runCommand('pull', '--har', recording, '--out', out)
  expect(await nothing.ended).toBe(2)
  expect(nothing.err).toContain('nothing in the recording could be read')
  expect(nothing.err).not.toContain('To serve it')
})
