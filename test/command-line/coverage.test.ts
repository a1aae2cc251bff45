// serve --coverage: the file that is written when the server ends.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { directory, fileOf, printed, run } from './support/command-line.ts'

const serve = async (...flags: string[]) => {
  const process = run('serve', '--port', '0', '--quiet', ...flags)
  const [, url = ''] = await printed(process, 'out', /API +(http\S+)\/v1/)
  return { process, url }
}
const me = (url: string, headers = {}) =>
  fetch(`${url}/v1/me`, { headers: { authorization: 'Bearer wm_demo_master', ...headers } })

test('serve --coverage writes at its end the outcomes of all sandboxes, over resets', async () => {
  const file = join(directory, 'coverage.json')
  const { process, url } = await serve('--coverage', file)
  await me(url)
  await fetch(`${url}/__mock/reset`, { method: 'POST' })
  await me(url, { 'x-mock-sandbox': 'a' })
  await fetch(`${url}/sandboxes/b/v1/me`)
  const served = await (await fetch(`${url}/__mock/coverage`)).json()
  const own = await (await fetch(`${url}/sandboxes/b/__mock/coverage`)).json()
  expect(own.operations[0]).toMatchObject({ operation: 'getIdentity', requests: 1 })
  process.child.kill('SIGTERM')
  expect(await process.ended).toBe(0)
  const { operations, missing } = JSON.parse(readFileSync(file, 'utf8'))
  expect(operations).toEqual(served.operations)
  expect(operations[0]).toMatchObject({ operation: 'getIdentity', requests: 3 })
  expect(operations[0].outcomes[0]).toEqual({ status: 200, case: 'success', natural: 2, byFault: 0 })
  expect(missing).toHaveLength(operations.flatMap((of: any) => of.outcomes).length - 2)
  expect(process.out).toContain('1 of 42 (2 %) operations')
})

test('serve --coverage writes a page, and adds up the outcomes from before a file changed', async () => {
  const file = join(directory, 'coverage.html')
  const answers = fileOf('coverage-answers.json', {})
  const { process, url } = await serve('--coverage', file, '--answers', answers, '--watch')
  await me(url)
  fileOf('coverage-answers.json', { rowShape: 'flat' })
  await printed(process, 'out', /started over/)
  await me(url)
  process.child.kill('SIGINT')
  expect(await process.ended).toBe(0)
  expect(readFileSync(file, 'utf8')).toMatch(/<!doctype html>[^]*<b>getIdentity<\/b><span>2 requests, 1 of/)
})

test('serve --coverage ends with 1 and the reason when the file can no longer be written', async () => {
  const folder = join(directory, 'removed')
  mkdirSync(folder)
  const { process } = await serve('--coverage', join(folder, 'coverage.json'))
  expect(existsSync(join(folder, 'coverage.json'))).toBe(false)
  rmSync(folder, { recursive: true })
  process.child.kill('SIGTERM')
  expect(await process.ended).toBe(1)
  expect(process.err).toMatch(/^error: .*coverage\.json cannot be written: ENOENT.*\n$/)
})

test('serve --coverage writes a page to a file whose name ends with .html or .htm', async () => {
  const file = join(directory, 'COVERAGE.HTM')
  const { process } = await serve('--coverage', file)
  process.child.kill('SIGTERM')
  expect(await process.ended).toBe(0)
  expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>/)
})

test('serve --coverage keeps what a file holds until the end', async () => {
  const file = fileOf('kept.json', 'of an earlier run')
  const { process } = await serve('--coverage', file)
  expect(readFileSync(file, 'utf8')).toBe('of an earlier run')
  process.child.kill('SIGTERM')
  expect(await process.ended).toBe(0)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('operations')
})

test('serve --coverage refuses a file that it cannot write', async () => {
  const process = run('serve', '--port', '0', '--coverage', join(directory, 'none/coverage.json'))
  expect(await process.ended).toBe(1)
  expect(process.err).toMatch(/coverage\.json/)
})

test('stop ends serve --coverage with 0 once the file is written, whose lines are requests', async () => {
  const file = join(directory, 'stopped.json')
  const { process, url } = await serve('--coverage', file)
  await me(url)
  const stopping = run('stop', '--url', url)
  expect(await stopping.ended).toBe(0)
  const { operations, missing } = JSON.parse(readFileSync(file, 'utf8'))
  expect(operations[0]).toMatchObject({ operation: 'getIdentity', requests: 1 })
  const lineOf = (kind: string) => missing.find((line: any) => line.case === kind).line
  expect(lineOf('unavailable')).toBe('POST /__mock/faults {"operation":"getIdentity","status":503}')
  expect(lineOf('lockedTable')).toBe(
    'PUT /__mock/answers {"lockedTable":"writes"}; PATCH /__mock/tables/{tableId} {"locked":true}',
  )
  expect(await process.ended).toBe(0)
})

test('serve --coverage-min ends with 1 and the figures when fewer outcomes were met', async () => {
  const { process, url } = await serve('--coverage-min', '50')
  const stopping = run('stop', '--url', url)
  expect(await stopping.ended).toBe(1)
  expect(stopping.err).toContain('the minimum is 50 %')
  expect(await process.ended).toBe(1)
  expect(process.err).toBe('error: 0.0 % of the outcomes covered; the minimum is 50 %\n')
})

test.each(['-1', '101', 'all'])('serve --coverage-min answers 2 for %s', async (percent) => {
  const process = run('serve', '--port', '0', `--coverage-min=${percent}`)
  expect(await process.ended).toBe(2)
  expect(process.err).toContain('It must be a percentage from 0 to 100')
})

test('stop ends with 1 and the reason when nothing listens', async () => {
  const process = run('stop', '--url', 'http://127.0.0.1:9')
  expect(await process.ended).toBe(1)
  expect(process.err).toContain('no server responds at http://127.0.0.1:9')
})

test('stop ends with 1 and the reason when the token is wrong, and with 0 with the right one', async () => {
  const { process, url } = await serve('--control-token', 'secret')
  const refused = run('stop', '--url', url)
  expect(await refused.ended).toBe(1)
  expect(refused.err).toContain('refused to stop (status 403)')
  expect(await run('stop', '--url', url, '--control-token', 'secret').ended).toBe(0)
  expect(await process.ended).toBe(0)
})
