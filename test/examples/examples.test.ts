// Runs each example against the packed package as a reader would: `npm test` in its folder.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, inject, test, type ExpectStatic } from 'vitest'
import { serve } from 'workspace-api-mock/node'
import { chromiumPath } from '../browser/support/browsers.ts'
import { readmeBlocks } from '../package/support/readme-blocks.ts'
import { Scratch } from '../package/support/scratch.ts'

const withoutChromium = chromiumPath === undefined && 'this machine has no Chromium'
/** The example's output when its tests pass, and the reason if it cannot run here. */
const examples: Record<string, { readonly passed: RegExp; readonly without?: string | false }> = {
  vitest: { passed: /Tests\s+3 passed/ },
  'exploring-careless': { passed: /Tests\s+2 passed/ },
  'exploring-careful': { passed: /Tests\s+1 passed/ },
  'node-test': { passed: /pass 2/ },
  jest: { passed: /Tests:\s+1 passed/ },
  playwright: { passed: /pass 2/, without: withoutChromium },
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
  'vitest-browser': { passed: /Tests\s+1 passed/, without: withoutChromium },
  bun: { passed: /1 pass/ },
  deno: { passed: /1 passed/ },
  'msw-playwright': { passed: /1 passed/, without: withoutChromium },
}
/** Runners with their own binary; if that cannot be installed, the example is skipped. */
const binaries = ['bun', 'deno']
const missing = new Set<string>()

/** One installation for all examples, with all their dependencies. */
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
  await scratch.install(inject('tarball'), ...packages, 'mocha@11', 'axios@1')
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
    const { code, output } = await scratch.runWith(
      { CHROMIUM: chromiumPath ?? '' },
      'npm',
      'test',
      '--prefix',
      name,
    )
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
})

/** A passing test, one that fails with an assertion, one that fails with an axios error, and another passing one. */
const suite = (define: string) => `
${define}('passes', async () => void (await fetch(\`\${mock.baseUrl}/me\`, { headers })))
${define}('fails by an assertion', async () => {
  const { status } = await fetch(\`\${mock.baseUrl}/tasks/tsk_first\`, { headers })
  if (status !== 200) throw new Error('no task')
})
${define}('fails by axios', () => axios.get(\`\${mock.baseUrl}/tasks/tsk_second\`, { headers, adapter: 'fetch' }))
${define}('passes again', async () => void (await fetch(\`\${mock.baseUrl}/spaces\`, { headers })))
`
const setUp = (before: string, after: string) => `
import axios from 'axios'
import { setupServer } from 'msw/node'
import { createWorkspaceMock } from 'workspace-api-mock'
const mock = createWorkspaceMock()
const server = setupServer(...mock.handlers)
const headers = { authorization: \`Bearer \${mock.keys.master}\` }
${before}(() => server.listen(mock.listenOptions))
beforeEach(() => mock.reset())
${after}(() => server.close())
`

describe('the hooks of the page print for the tests that fail, whatever they throw, and for no other', () => {
  const hook = (comment: string) =>
    readmeBlocks().find(
      ({ heading, code }) => heading === 'What a failing test shows' && code.startsWith(comment),
    )!.code
  const expectExplained = (expect: ExpectStatic, output: string) => {
    expect(output.match(/Requests:/g), output).toHaveLength(2)
    expect(output).toMatch(/fails by an assertion Requests:\s+[#\s\\]*1 GET \/tasks\/tsk_first 404/)
    expect(output).toMatch(/fails by axios Requests:\s+[#\s\\]*1 GET \/tasks\/tsk_second 404/)
  }

  test('node:test', async ({ expect }) => {
    const imports = "import { after, afterEach, before, beforeEach, test } from 'node:test'\n"
    const text = imports + setUp('before', 'after') + hook('// node:test') + suite('test')
    scratch.write('hooks-node/a.test.mjs', text)
    const { output } = await scratch.run('node', '--test', '--test-reporter=tap', 'hooks-node/a.test.mjs')
    expectExplained(expect, output)
  })

  test('vitest without the helper', async ({ expect }) => {
    const imports = "import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'\n"
    const text = imports + setUp('beforeAll', 'afterAll') + hook('// vitest') + suite('test')
    scratch.write('hooks-vitest/a.test.js', text)
    const { output } = await scratch.run('npx', 'vitest', 'run', '--root', 'hooks-vitest')
    expectExplained(expect, output)
  })

  test('mocha', async ({ expect }) => {
    scratch.write('hooks-mocha/a.test.mjs', setUp('before', 'after') + hook('// mocha') + suite('it'))
    const { output } = await scratch.run('npx', 'mocha', 'hooks-mocha/a.test.mjs')
    expectExplained(expect, output)
  })

  test('jest', async ({ expect }) => {
    scratch.write('hooks-jest/package.json', '{"type":"module"}')
    scratch.write('hooks-jest/explain-environment.js', hook('// explain-environment.js'))
    scratch.write(
      'hooks-jest/jest.config.js',
      "export default { testEnvironment: './explain-environment.js' }",
    )
    scratch.write('hooks-jest/a.test.js', setUp('beforeAll', 'afterAll') + hook('// jest') + suite('test'))
    const script = 'node_modules/jest/bin/jest.js'
    const run = await scratch.run(
      'node',
      '--experimental-vm-modules',
      script,
      '--config',
      'hooks-jest/jest.config.js',
    )
    expectExplained(expect, run.output)
  })

  test('pytest', async ({ expect, skip }) => {
    // The system's Python can have packages that the user's lacks.
    const interpreters = ['python3', '/usr/bin/python3']
    const runs = interpreters.map((python) => scratch.run(python, '-m', 'pytest', '--version'))
    const python = interpreters[(await Promise.all(runs)).findIndex(({ code }) => code === 0)] ?? ''
    skip(python === '', 'pytest is not installed')
    for (const { code: text } of readmeBlocks().filter(({ language }) => language === 'python'))
      scratch.write(`hooks-pytest/${/^# (\S+)/.exec(text)?.[1] ?? ''}`, text)
    scratch.write(
      'hooks-pytest/test_failing.py',
      `from urllib.request import Request, urlopen
def call(url):
    urlopen(Request(url, headers={"Authorization": "Bearer wm_demo_master"})).close()
def test_fails(workspace):
    call(workspace + "/spaces")
    assert 1 == 2
def test_raises(workspace):
    call(workspace + "/tasks/tsk_first")
`,
    )
    // The suite starts and stops its own server.
    const { output } = await scratch.run(python, '-m', 'pytest', 'hooks-pytest')
    expect(output).toMatch(/2 failed, 1 passed/)
    expect(output.match(/Requests:/g)).toHaveLength(2)
    expect(output).toMatch(/GET \/tasks\/tsk_first 404/)
  })
})
