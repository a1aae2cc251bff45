// What `init` writes, checked and run by a project that installed the packed package.
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { Scratch } from './support/scratch.ts'

const scratch = new Scratch()

beforeAll(async () => {
  await scratch.install(inject('tarball'), 'msw@2', 'vitest@4', 'typescript@5.9', '@types/node@20')
  const { code, output } = await scratch.run('npx', 'workspace-api-mock', 'init', 'tests')
  if (code !== 0) throw new Error(`init failed:\n${output}`)
})
afterAll(() => scratch.remove())

it('init writes a test that passes as it is', async () => {
  const { code, output } = await scratch.run('npx', 'vitest', 'run')
  expect(code, output).toBe(0)
  expect(output).toContain('1 passed')
})

it('init writes a test that compiles', async () => {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    noEmit: true,
  }
  scratch.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['tests'] }))
  const { code, output } = await scratch.run('npx', 'tsc')
  expect(code, output).toBe(0)
})
