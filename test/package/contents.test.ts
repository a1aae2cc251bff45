// What is published: the files, their licences, and that nothing needs to be there at run time.
import { readFileSync, readdirSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { allowedLicenses } from '../../.config/licenses.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the package holds dist, fixtures, README, LICENSE and package.json alone', () => {
  const tops = new Set(inject('packedFiles').map((path) => path.split('/')[0]))
  expect([...tops].sort()).toEqual(['LICENSE', 'README.md', 'dist', 'fixtures', 'package.json'])
})

test('nothing is a dependency at run time', () => {
  const manifest = JSON.parse(read('package.json'))
  expect(manifest.dependencies).toBeUndefined()
  const imported = readdirSync(new URL('../../dist', import.meta.url))
    .filter((name) => name.endsWith('.js') || name.endsWith('.d.ts'))
    .flatMap((name) => [
      ...read(`dist/${name}`).matchAll(/(?:\bfrom|\bimport)\s*\(?["']([@\w][\w@/.:-]*)["']/g),
    ])
    .map(([, from]) => from)
  // The package's own name stands in the starter test that `init` writes.
  const allowed = /^(node:[a-z_/]+|msw(\/node|\/browser)?|vitest(\/node)?|workspace-api-mock(\/vitest)?)$/
  expect([...new Set(imported)].filter((from) => !allowed.test(from ?? ''))).toEqual([])
})

test('the licences of what is bundled are published, and of the kinds that are allowed', () => {
  const text = read('dist/THIRD-PARTY-LICENSES.txt')
  const licences = [...text.matchAll(/^Licence: (.*)$/gm)].map(([, licence]) => licence)
  expect(licences.length).toBeGreaterThan(8)
  expect(licences.filter((licence) => !allowedLicenses.includes(licence ?? ''))).toEqual([])
  for (const name of ['zod', '@msw/data', 'jsep']) expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'))
  expect(text.match(/Permission (is hereby granted|to use)/g)?.length).toBeGreaterThanOrEqual(
    licences.length - 4,
  )
})
