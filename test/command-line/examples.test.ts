// Runs each example in each command's help as printed, except for the deployment's address.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { serve, type RunningServer } from 'workspace-api-mock/node'
import { cli, directory, fileOf, run } from './support/command-line.ts'

const mock = createWorkspaceMock({ clock: 'system' })
let server: RunningServer
beforeAll(async () => {
  server = await serve(mock, { port: 0 })
  const headers = { authorization: `Bearer ${mock.keys.master}` }
  for (const path of ['/me', '/datatables']) await fetch(server.baseUrl + path, { headers })
  fileOf('incident.har', mock.har())
  fileOf('company.json', mock.state())
  fileOf('answers.json', { rowShape: 'data' })
  fileOf('samples.csv', 'Café\nElbblick\n')
  writeFileSync(join(directory, 'excel.csv'), Buffer.from('Café\nElbblick\n', 'latin1'))
  fileOf('known.json', { findings: [] })
  mkdirSync(join(directory, 'job'))
  const program = join(directory, 'workspace-api-mock')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`)
  chmodSync(program, 0o755)
})
afterAll(async () => {
  await server.close()
})

const commands = ['serve', 'wait', 'explore', 'openapi', 'verify', 'pull'] as const

/** Replaces what cannot run in a test: tests in another language, a port in use, a run of several minutes. */
const replaced: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/https:\/\/api\.example\.com\/v1/, 'SERVER'],
  [/--api-key KEY/, '--api-key wm_demo_master'],
  [/-- .*/, `-- 'curl -s "$WORKSPACE_API_URL/me" -H "Authorization: Bearer $WORKSPACE_API_KEY"'`],
  [/&& npm test/, ''],
  [/--table "Scratch"/, '--table "Wholesale orders"'],
  [/\bverify (?!.*--only)/, 'verify --only getIdentity '],
  [/serve(?!.*--port)(?! --help)/, 'serve --port 0'],
]

test.for(commands)('the examples of %s run', { timeout: 300_000 }, async (command) => {
  const help = run(command, '--help')
  await help.ended
  const examples = [...help.out.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = '']) => line)
  expect(examples.length).toBeGreaterThan(0)
  for (const example of examples) {
    const line = replaced
      .reduce((text, [pattern, other]) => text.replace(pattern, () => other), example)
      .replace('SERVER', server.baseUrl)
    const isServer = /\bserve\b/.test(line)
    const script = isServer ? `timeout 4 ${line.replace(/&.*/, '')}` : line
    const env = { ...process.env, PATH: `${directory}:${process.env.PATH ?? ''}`, NO_COLOR: '1' }
    const given = { cwd: directory, env: { ...env, WORKSPACE_API_KEY: 'wm_demo_master' } }
    const { code, stderr } = await promisify(execFile)('sh', ['-c', script], given).then(
      ({ stderr: text }) => ({ code: 0, stderr: text }),
      (error: unknown) => {
        const { code: status, stderr: text = '' } = error as { code?: number; stderr?: string }
        return { code: status, stderr: text }
      },
    )
    expect(code === 2 ? stderr : '', example).toBe('')
    expect(stderr, example).not.toMatch(/^error: (?!GET)/m)
  }
})
