// Names that pages and sources refer to: parts of the contract in comments, and functions in CONTRIBUTING.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../src/', import.meta.url))
const read = (path: string) => readFileSync(root + path, 'utf8')

/** Headings, and the parts that its tables name. */
const headings = [...read('contract/README.md').matchAll(/^#+ (.*)$|\*\*(.+?)\*\*/gm)].map(
  ([, title, part]) => title ?? part ?? '',
)
const isHeading = (name: string) =>
  name === 'opening paragraph' ||
  headings.some((heading) => name === heading || name.startsWith(`${heading} `))

/** `Limits`, `Errors, rule 2` and `Column; Row attachments` name parts, in the first of which the rest is found. */
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

it('every name that CONTRIBUTING places in a file is in that file', () => {
  const page = readFileSync(`${root}../.github/CONTRIBUTING.md`, 'utf8')
  const places = [...page.matchAll(/`(\w+)`\s+(?:of|in)\s+`src\/([\w/.-]+\.tsx?)`/g)]
  const missing = places.filter(([, name, path]) => !new RegExp(`\\b${name ?? ''}\\b`).test(read(path ?? '')))
  expect(places.length).toBeGreaterThan(10)
  expect(missing.map(([text]) => text)).toEqual([])
})
