// Names that pages and sources refer to: parts of the contract in comments, files and functions in recipes.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { pages } from '../../.config/pages.ts'

const root = fileURLToPath(new URL('../../src/', import.meta.url))
const read = (path: string) => readFileSync(root + path, 'utf8')

/** The contract page's headings, and the parts that its tables name. */
const headings = [...read('contract/README.md').matchAll(/^#+ (.*)$|\*\*(.+?)\*\*/gm)].map(
  ([, title, part]) => title ?? part ?? '',
)
const isHeading = (name: string) =>
  name === 'opening paragraph' ||
  headings.some((heading) => name === heading || name.startsWith(`${heading} `))

/** The parts that a source names: one in `Limits` and in `Errors, rule 2`, two in `Column; Row attachments`. */
const partsOf = (source: string) => source.split(/; | and (?=[A-Z])/).map((part) => part.split(',')[0] ?? '')

it('every part of the contract that is named as a source is a heading', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  )
  const named = files.flatMap((path) =>
    [...read(path).matchAll(/[Ss]ource: contract, ([^.*\n]+)|\(contract, (.+?)\)['"]?:|'contract, ([^']+)'/g)]
      .flatMap((match) => partsOf(match[1] ?? match[2] ?? match[3] ?? ''))
      .map((part) => part.trim()),
  )
  expect(named.length).toBeGreaterThan(100)
  expect([...new Set(named)].filter((name) => !isHeading(name))).toEqual([])
})

/** The pages for contributors, and the recipes on the pages of the rooms. */
const recipes = pages.flatMap((page) => {
  const text = readFileSync(`${root}../${page}`, 'utf8')
  if (page.startsWith('.github/CONTRIBUTING') || page.startsWith('.github/DECISIONS')) return [[page, text]]
  const [, recipe] = /^## (?:Adding|Changing) .*\n([^]*)/m.exec(text) ?? []
  return recipe === undefined ? [] : [[page, recipe]]
}) as [page: string, text: string][]

const sources = ['src', 'test', '.config'].flatMap((folder) =>
  readdirSync(`${root}../${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|js|css)$/.test(path) && !path.includes('node_modules'))
    .map((path) => `${folder}/${path}`),
)
const allSources = sources.map((path) => readFileSync(`${root}../${path}`, 'utf8')).join('\n')
const { scripts } = JSON.parse(read('../package.json')) as { scripts: object }

/** Whether a name in backticks exists: an npm script, a path from the root, or a word in the sources. */
function exists(name: string): boolean {
  const [, script] = /^npm run ([\w:]+)$/.exec(name) ?? []
  if (script !== undefined) return script in scripts
  if (/^\.?[\w-]+\/[\w./-]+$/.test(name))
    return existsSync(`${root}../${name}`) || existsSync(`${root}../node_modules/${name}`)
  if (/^[\w-]+\.(?:ts|css|json)$/.test(name))
    return sources.some((path) => path.endsWith(`/${name}`)) || existsSync(`${root}../${name}`)
  const [, word] = /^(?:\w+\.)?(\w+)(?:\(…\))?$/.exec(name) ?? []
  return word === undefined || new RegExp(`\\b${word}\\b`).test(allSources)
}

it.each(recipes)('every name in backticks of %s exists', (_page, text) => {
  const code = [...text.matchAll(/^```[^]*?^```/gm)].join('\n')
  const names = [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(
    ([, name = '']) => name,
  )
  expect(names.length).toBeGreaterThan(2)
  expect(names.filter((name) => !exists(name) && !code.includes(name))).toEqual([])
})

it('every name that a recipe places in a file is in that file', () => {
  const places = recipes.flatMap(([, text]) => [
    ...text.matchAll(/`(\w+)`(?: there)?,?\s+(?:of|in)\s+`src\/([\w/.-]+\.tsx?)`/g),
  ])
  const missing = places.filter(([, name, path]) => !new RegExp(`\\b${name ?? ''}\\b`).test(read(path ?? '')))
  expect(places.length).toBeGreaterThan(10)
  expect(missing.map(([text]) => text)).toEqual([])
})
