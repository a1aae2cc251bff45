// The documentation pages: the repository's README, and the README of each folder that has one.
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const rooms = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('/README.md'))
  .map((path) => `src/${path.slice(0, -'/README.md'.length)}`)
  .sort()

/** Paths relative to the repository's root. */
export const pages = [
  'README.md',
  '.github/CONTRIBUTING.md',
  '.github/DECISIONS.md',
  '.github/CHANGELOG.md',
  'src/README.md',
  'src/tools/mcp/SKILL.md',
  ...[...rooms, 'fixtures', 'test', 'test/bench'].map((room) => `${room}/README.md`),
].filter((page) => existsSync(`${root}${page}`))
