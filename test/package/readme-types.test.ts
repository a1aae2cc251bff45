// Code in the README that runs only in the reader's project, such as a page or Storybook, checked against the published
// types.
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fileOf, readmeBlocks } from './support/readme-blocks.ts'
import { Scratch } from './support/scratch.ts'

const scratch = new Scratch()
const excerpts = readmeBlocks().filter(
  ({ language, info }) => language === 'tsx' || (language === 'ts' && info !== ''),
)

/** The context of the excerpts: the types that Vite provides for a page, and the app that they start. */
const surroundings = {
  'vite.d.ts':
    'interface ImportMeta { readonly env: { readonly DEV: boolean; readonly VITE_API_URL: string } }\n',
  'app.ts': 'export const start = (): void => undefined\n',
}
const compilerOptions = {
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2023',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  jsx: 'react-jsx',
  strict: true,
  noEmit: true,
  // The types of other libraries are not ours to check.
  skipLibCheck: true,
}

beforeAll(async () => {
  const libraries = ['msw@2', '@types/node@20', '@types/react@19', '@playwright/test@1', 'typescript@5.9']
  await scratch.install(inject('tarball'), ...libraries)
  for (const [file, text] of Object.entries(surroundings)) scratch.write(file, text)
})
afterAll(() => scratch.remove())

test.for(excerpts)('$page, line $line, $heading', async (block) => {
  const { language, code } = block
  const name = fileOf(block)
  scratch.write(`${name}.${language}`, code)
  const files = [`${name}.${language}`, 'vite.d.ts']
  scratch.write(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions, files }))
  const { code: exitCode, output } = await scratch.run(
    'npx',
    'tsc',
    '--pretty',
    'false',
    '-p',
    `tsconfig.${name}.json`,
  )
  expect(exitCode, output).toBe(0)
})
