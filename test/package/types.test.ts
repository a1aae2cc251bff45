// The published types, checked as users' compilers do it: old and new, both resolutions, libraries included.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Scratch } from './scratch.ts'

const scratch = new Scratch()
const compilers = { 'TypeScript 5.9': 'typescript-5', 'TypeScript 7': 'typescript-7' }
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
  scratch.copy('test/package/consumer.ts', 'consumer.ts')
})
afterAll(() => scratch.remove())

describe.for(Object.entries(compilers))('%s', ([, compiler]) => {
  test.for(Object.entries(resolutions))('checks a consumer under %s', async ([name, resolution]) => {
    const compilerOptions = {
      ...resolution,
      target: 'es2023',
      lib: ['es2024', 'dom', 'dom.iterable'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
    }
    const config = `tsconfig.${name}.json`
    scratch.write(config, JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    const { output } = await scratch.run(
      'node',
      `node_modules/${compiler}/bin/tsc`,
      '--pretty',
      'false',
      '-p',
      config,
    )
    expect(output.split('\n').filter((line) => line.includes('error TS'))).toEqual([])
  })
})
