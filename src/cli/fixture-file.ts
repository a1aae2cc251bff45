// The value of --fixture: the name of a fixture of this package, or a JSON file.
import { existsSync } from 'node:fs'
import { nearestNote } from '../contract/values/nearest.ts'
import { quote } from '../contract/values/quote.ts'
import type { Fixture } from '../fixture/fixture.ts'
import { fixtures } from '../../fixtures/index.ts'
import type { FixtureName } from '../mock-options.ts'
import { readJsonFile } from './json-file.ts'

export const isFixtureName = (name: string): name is FixtureName => Object.hasOwn(fixtures, name)

/** @throws {Error} where it is neither */
export function fixtureOf(name: string): FixtureName | Fixture {
  if (isFixtureName(name)) return name
  if (!existsSync(name)) {
    const names = Object.keys(fixtures)
    throw new Error(
      `--fixture must be one of ${names.join(', ')}, or a JSON file that exists; received ${quote(name)}${nearestNote(name, names)}`,
    )
  }
  // What is in the file is checked by the mock.
  return readJsonFile(name, 'fixture file') as Fixture
}
