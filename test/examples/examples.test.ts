// Runs each example as its reader would, `npm test` in its folder, against the packed package.
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, inject, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import { serve } from 'workspace-api-mock/node'
import { readmeBlocks } from '../package/support/readme-blocks.ts'
import { Scratch } from '../package/support/scratch.ts'

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** What an example says when its tests passed, and what it cannot do without. */
const examples: Record<string, { readonly passed: RegExp; readonly without?: string | false }> = {
  vitest: { passed: /Tests\s+3 passed/ },
  'exploring-careless': { passed: /Tests\s+2 passed/ },
  'exploring-careful': { passed: /Tests\s+1 passed/ },
  'node-test': { passed: /pass 2/ },
  jest: { passed: /Tests:\s+1 passed/ },
  playwright: { passed: /pass 2/, without: !existsSync(chromium) && `no browser at ${chromium}` },
  jsdom: { passed: /Tests\s+3 passed/ },
  'happy-dom': { passed: /Tests\s+3 passed/ },
  python: { passed: /Ran 3 tests[\s\S]*OK/ },
  pact: { passed: /pass 5/ },
  curl: { passed: /done: 3000 rows/ },
  'jest-jsdom': { passed: /Tests:\s+1 passed/ },
  'jest-commonjs': { passed: /Tests:\s+1 passed/ },
  'own-servers': { passed: /Tests\s+2 passed/ },
  undici: { passed: /pass 1/ },
  got: { passed: /Tests\s+3 passed/ },
  workerd: { passed: /Tests\s+1 passed/ },
  'vitest-browser': {
    passed: /Tests\s+1 passed/,
    without: !existsSync(chromium) && `no browser at ${chromium}`,
  },
  bun: { passed: /1 pass/ },
  deno: { passed: /1 passed/ },
  'msw-playwright': { passed: /1 passed/, without: !existsSync(chromium) && `no browser at ${chromium}` },
}
/** Runners that are binaries of their own: an example is left out where its binary cannot be installed. */
const binaries = ['bun', 'deno']
const missing = new Set<string>()

/** One installation above all examples, of everything that they ask for. */
const scratch = new Scratch()

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>
}
const dependenciesOf = (name: string) =>
  (JSON.parse(readFileSync(new URL(`${name}/package.json`, import.meta.url), 'utf8')) as Manifest)
    .devDependencies

beforeAll(async () => {
  const wanted = Object.assign({}, ...Object.keys(examples).map(dependenciesOf)) as Record<string, string>
  delete wanted['workspace-api-mock']
  const packages = Object.entries(wanted)
    .filter(([name]) => !binaries.includes(name))
    .map(([name, range]) => `${name}@${range}`)
  await scratch.install(inject('tarball'), ...packages)
  for (const name of binaries)
    await scratch.install(`${name}@${wanted[name] ?? '*'}`).catch(() => missing.add(name))
})
afterAll(() => scratch.remove())

test.concurrent.for(Object.entries(examples))(
  '%s',
  async ([name, { passed, without = false }], { skip, expect }) => {
    const reason = missing.has(name) ? `${name} cannot be installed` : without
    if (reason !== false) {
      console.warn(`example ${name} was left out: ${reason}`)
      skip(reason)
    }
    scratch.copy(`test/examples/${name}`, name)
    const { code, output } = await scratch.run('npm', 'test', '--prefix', name)
    expect(output).toMatch(passed)
    expect(code, output).toBe(0)
  },
)

test('what init writes', async ({ expect }) => {
  const written = await scratch.run('npx', 'workspace-api-mock', 'init', 'starter')
  expect(written.output).toContain('npx vitest run')
  const { output } = await scratch.run('npx', 'vitest', 'run', '--root', 'starter')
  expect(output).toMatch(/Tests\s+1 passed/)
})

describe('what the README shows', () => {
  const shown = readmeBlocks().filter(({ heading }) => heading === 'Your runner')
  const beginning = (comment: string) => shown.find(({ code }) => code.startsWith(comment))?.code ?? ''

  test('for node:test', async ({ expect }) => {
    scratch.write('shown/first.test.mjs', beginning('// first.test.mjs'))
    const { output } = await scratch.run('node', '--test', 'shown/first.test.mjs')
    expect(output).toMatch(/pass 1/)
  })

  test('for jsdom, which is what its example has', ({ expect }) => {
    const code = (text: string) => text.replace(/^\/\/.*\n/gm, '')
    const example = readFileSync(new URL('jsdom/setup.js', import.meta.url), 'utf8')
    expect(code(beginning('// setup.js'))).toBe(code(example))
  })

  test('for Python', async ({ expect }) => {
    const { url, close } = await serve(createWorkspaceMock())
    scratch.write('shown/test_first.py', beginning('# test_first.py').replace('http://127.0.0.1:4010', url))
    const { output } = await scratch.run('python3', '-m', 'unittest', 'discover', '-s', 'shown')
    await close()
    expect(output).toMatch(/Ran 1 test[\s\S]*OK/)
  })
})
