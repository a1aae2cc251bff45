// Owns the JSON schema of fixture files, by which editors complete and check them.
import * as z from 'zod/mini'
import { documentedFixture } from './fixture-schema.ts'

/** JSON Schema, draft 2020-12. */
export function fixtureJsonSchema(): object {
  return z.toJSONSchema(documentedFixture(), { io: 'input' })
}
