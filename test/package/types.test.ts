// The published types, checked as users' compilers do it: old and new, both resolutions, libraries included.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Scratch } from './support/scratch.ts'

const scratch = new Scratch()
const compilers = { 'TypeScript 5.9': 'typescript-5', 'TypeScript 7': 'typescript-7' }
/** What they write, and the types of the place that it runs in. */
const consumers = [
  { file: 'consumer.ts', types: ['node'] },
  { file: 'consumer-browser.ts', types: [] },
]
const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

beforeAll(async () => {
  await scratch.install(
    inject('tarball'),
    'msw@2',
    'vitest@4',
    '@types/node@20',
    'typescript-5@npm:typescript@5.9',
    'typescript-7@npm:typescript@7',
  )
  for (const { file } of consumers) scratch.copy(`test/package/support/${file}`, file)
})
afterAll(() => scratch.remove())

const runs = Object.entries(resolutions).flatMap(([resolution, how]) =>
  consumers.map((consumer) => ({ ...consumer, resolution, how })),
)

describe.for(Object.entries(compilers))('%s', ([, compiler]) => {
  test.for(runs)('checks $file under $resolution', async ({ file, types, resolution, how }) => {
    const compilerOptions = {
      ...how,
      target: 'es2023',
      lib: ['es2024', 'dom', 'dom.iterable'],
      types,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck: false,
    }
    const config = `tsconfig.${file}.${resolution}.json`
    scratch.write(config, JSON.stringify({ compilerOptions, files: [file] }))
    const { code, output } = await scratch.run(
      'node',
      `node_modules/${compiler}/bin/tsc`,
      '--pretty',
      'false',
      '-p',
      config,
    )
    expect(code, output).toBe(0)
  })
})
