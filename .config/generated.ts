// The generated files that are kept in the repository.
import { fixtureJsonSchema } from '../src/service/fixture/schema.ts'
import { contractTypes } from './contract-types.ts'
import { fixtureTypes } from './fixture-types.ts'
import { operationMatcher } from './operation-matcher.ts'
import { examplesText } from '../test/openapi/support/record-examples.ts'
import { pagesWithTables } from './readme-tables.ts'

/** Their content by path, relative to the repository's root. */
export async function generatedFiles(): Promise<Record<string, string>> {
  return {
    ...pagesWithTables(),
    'fixtures/fixture.schema.json': `${JSON.stringify(fixtureJsonSchema(), null, 2)}\n`,
    'src/tools/openapi/examples.json': await examplesText(),
    'src/mock/requests/operation-matcher.ts': operationMatcher(),
    'src/contract/types.d.ts': await contractTypes('src/contract/types.d.ts'),
    'fixtures/types.ts': await fixtureTypes('fixtures/types.ts'),
  }
}
