// Owns the files that are made from the sources and kept in the repository.
import { fixtureJsonSchema } from '../src/fixture/fixture.ts'
import { pagesWithTables } from './readme-tables.ts'

/** Texts by path from the root of the repository. */
export function generatedFiles(): Record<string, string> {
  return {
    ...pagesWithTables(),
    'fixtures/fixture.schema.json': `${JSON.stringify(fixtureJsonSchema(), null, 2)}\n`,
  }
}
