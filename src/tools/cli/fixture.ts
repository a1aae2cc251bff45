// The option --fixture: a fixture of this package, or a JSON file.
import { existsSync } from 'node:fs'
import { describeNearestName } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import type { Fixture } from '../../../fixtures/types.ts'
import { fixtures } from '../../../fixtures/index.ts'
import { createExplorableMock } from '../../mock.ts'
import type { FixtureName, MockOptions } from '../../mock-options.ts'
import { prefixErrors } from '../../adapters/server/write-file.ts'
import { readJsonFile } from './files.ts'

export const isFixtureName = (name: string): name is FixtureName => Object.hasOwn(fixtures, name)

/** @throws {Error} naming a fixture or file that does not exist or is invalid */
export const createMockWith = (fixture: string, options: Omit<MockOptions, 'fixture'> = {}) =>
  createExplorableMockWith(fixture, options).mock

export function createExplorableMockWith(fixture: string, options: Omit<MockOptions, 'fixture'> = {}) {
  const names = Object.keys(fixtures)
  if (!isFixtureName(fixture) && !existsSync(fixture))
    throw new Error(
      `--fixture must be one of ${names.join(', ')}, or a JSON file that exists; received ${quote(fixture)}${describeNearestName(fixture, names)}`,
    )
  const given = isFixtureName(fixture) ? fixture : (readJsonFile(fixture, 'fixture file') as Fixture)
  return prefixErrors(fixture, () => createExplorableMock({ ...options, fixture: given }))
}
