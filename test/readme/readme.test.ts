// The pages of the documentation: their tables are current, their code runs as it stands, and their curl lines succeed.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { generatedFiles } from '../../.config/generated.ts'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { fileOf, readmeBlocks } from '../package/support/readme-blocks.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const blocks = readmeBlocks()

test.each(Object.entries(await generatedFiles()))('%s is as `npm run generate` makes it', (path, text) => {
  expect(readFileSync(`${root}/${path}`, 'utf8')).toBe(text)
})

test('every ts block runs green, and prints what its page shows', async () => {
  const folder = `${root}/test/readme/blocks`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Skips blocks for browsers, which are not run here.
  const code = blocks.filter(({ language, info }) => language === 'ts' && info === '')
  for (const block of code) writeFileSync(`${folder}/${fileOf(block)}.block.ts`, block.code)
  const environment = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV)/.test(name))
  const { stdout } = await run(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/readme/vitest.config.ts', '--reporter=json'],
    {
      cwd: root,
      env: { ...Object.fromEntries(environment), BUILT_PACKAGE: inject('built') },
      maxBuffer: 2 ** 26,
    },
  ).catch((error: unknown) => error as { stdout: string })
  const start = stdout.indexOf('{"numTotal')
  const printed = stdout.slice(0, start)
  const report = JSON.parse(stdout.slice(start))
  const failed = report.testResults.flatMap(({ name, message, assertionResults }: any) => [
    ...(message === '' ? [] : [`${name}: ${message}`]),
    ...assertionResults
      .filter(({ status }: any) => status !== 'passed')
      .map(({ title, failureMessages }: any) => `${name}: ${title}: ${failureMessages.join('\n')}`),
  ])
  expect(failed).toEqual([])
  expect(report.testResults).toHaveLength(code.length)
  const shown = blocks.filter(({ language }) => language === 'text')
  expect(shown).not.toEqual([])
  for (const { code } of shown) expect(printed).toContain(code.trim())
  rmSync(folder, { recursive: true })
})

const commandLines = blocks
  .filter(({ language }) => language === 'console')
  .flatMap(({ code }) => code.split('\n'))
  .flatMap((text) => /^\$ workspace-api-mock (.*)$/.exec(text)?.[1] ?? [])

const helps = new Map<string, Promise<{ stdout: string }>>()

test.each(commandLines)('workspace-api-mock %s is a command with such options', async (line) => {
  // What follows ` -- ` is the reader's own command.
  const [command = '', ...words] = line.replace(/ -- .*/, '').split(' ')
  if (!helps.has(command)) helps.set(command, run(process.execPath, [inject('cli'), command, '--help']))
  const { stdout } = (await helps.get(command))!
  const known = new Set(stdout.match(/^ {2}(?:-\w, )?--[\w-]+/gm)?.map((text) => text.trim()))
  const named = words.filter((word) => word.startsWith('--'))
  expect(named.filter((flag) => !known.has(flag))).toEqual([])
})

test('every curl line is answered with success', async () => {
  const lines = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n'))
    .filter((line) => line.startsWith('curl '))
  expect(lines.length).toBeGreaterThan(5)
  const server = await serve(createWorkspaceMock({ clock: 'system' }), { port: 0 })
  try {
    for (const line of lines) {
      const command = line.replaceAll('http://127.0.0.1:4010', server.url)
      await expect(
        run('bash', ['-c', `${command} --silent --show-error --fail`]),
        line,
      ).resolves.toBeDefined()
    }
  } finally {
    await server.close()
  }
})
