// What is published: the files, their licences, and that nothing else is needed at run time.
import { readFileSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, inject, test } from 'vitest'
import { allowedLicenses } from '../../.config/licenses.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the package holds what runs, fixtures, licence and manifest, and the pages with what they name', () => {
  const tops = new Set(inject('packedFiles').map((path) => path.split('/')[0]))
  expect([...tops].sort()).toEqual([
    '.github',
    'LICENSE',
    'README.md',
    'dist',
    'fixtures',
    'package.json',
    'skills',
    'src',
    'test',
  ])
  const sources = inject('packedFiles').filter(
    (path) => path.startsWith('src/') && !path.endsWith('README.md'),
  )
  expect(sources).toEqual([])
})

test('every relative link and picture of a page leads somewhere in the package', () => {
  const files = new Set(inject('packedFiles'))
  const folders = new Set(
    [...files].flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))),
  )
  const pages = [...files].filter((path) => path.endsWith('.md'))
  expect(pages.length).toBeGreaterThan(12)
  const dead = pages.flatMap((page) => {
    const text = read(page)
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)].map(
      ([, a, b]) => a ?? b ?? '',
    )
    return targets
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#')
        const full =
          path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, '')
        if (!files.has(full) && !folders.has(full)) return true
        return anchor !== undefined && full.endsWith('.md') && !headingsOf(read(full)).includes(anchor)
      })
      .map((target) => `${page}: ${target}`)
  })
  expect(dead).toEqual([])
})

/** The anchors of the headings of a page, as GitHub makes them. */
const headingsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('what runs needs its peers alone, and the types also those of OpenAPI documents', () => {
  const manifest = JSON.parse(read('package.json'))
  expect(Object.keys(manifest.dependencies)).toEqual(['openapi-types'])
  // The starter test that `init` writes contains the package's own name.
  const allowed = /^(node:[a-z_/]+|msw(\/node|\/browser)?|vitest(\/node)?|workspace-api-mock(\/vitest)?)$/
  const others = readdirSync(new URL('../../dist', import.meta.url))
    .filter((name) => name.endsWith('.js') || name.endsWith('.d.ts'))
    .flatMap((name) => {
      const matches = read(`dist/${name}`).matchAll(
        /(?:(?<!\.)\bfrom|\bimport)\s*\(?["']([@\w][\w@/.:-]*)["']/g,
      )
      return [...matches].map(([, from = '']) => `${name}: ${from}`)
    })
    .filter((line) => !allowed.test(line.replace(/.*: /, '')))
  expect([...new Set(others)]).toEqual(['openapi.d.ts: openapi-types'])
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
