// The pages of the documentation: the README of the repository, and that of each room.
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const rooms = readdirSync(`${root}src`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `src/${name}`)

/** Paths from the root of the repository. */
export const pages = [
  'README.md',
  '.github/CONTRIBUTING.md',
  '.github/CHANGELOG.md',
  'src/README.md',
  ...[...rooms, 'fixtures', 'test', 'test/bench'].map((room) => `${room}/README.md`),
].filter((page) => existsSync(`${root}${page}`))
