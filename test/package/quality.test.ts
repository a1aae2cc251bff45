// What the ecosystem's own checks say about the package.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { expect, inject, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))

test('publint has nothing to say', async () => {
  const bytes = readFileSync(inject('tarball'))
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages } = await publint({ strict: true, pack: { tarball } })
  expect(messages.map((message) => formatMessage(message, manifest))).toEqual([])
})

test('the types are right wherever modules can be imported', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(inject('tarball'))))
  if (!analysis.types) throw new Error('the package has no types')
  // The package has ES modules only: CommonJS cannot require it, but its types resolve. Only `exports` lists the JSON.
  const problems = analysis.problems.filter(
    (problem) =>
      problem.kind !== 'CJSResolvesToESM' &&
      !('entrypoint' in problem && problem.entrypoint.endsWith('.json')),
  )
  expect(problems).toEqual([])
})

test('an error that nothing catches is told in lines that a terminal shows', () => {
  const index = new URL('../../dist/index.js', import.meta.url).href
  const code = `import { createWorkspaceMock } from '${index}'; createWorkspaceMock({ plan: 'gold' })`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
  })
  expect(stderr).toContain('"gold"')
  expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(700)
})
