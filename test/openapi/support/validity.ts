// Independent checks of a document: two validators and a linter, all offline.
import { fileURLToPath } from 'node:url'
import { validate as validateWithReadme } from '@readme/openapi-parser'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { OpenApiDocument, OpenApiDocument30 } from '../../../src/openapi.ts'

const lintConfig = loadConfig({
  configPath: fileURLToPath(new URL('../../../.config/redocly.yaml', import.meta.url)),
})

/** What the validator with OpenAPI's schemas finds. */
export async function schemaFaults(document: OpenApiDocument | OpenApiDocument30): Promise<unknown> {
  const result = await new Validator().validate({ ...structuredClone(document) })
  return result.valid ? [] : result.errors
}

/** What ReadMe's parser finds; it also resolves references. */
export async function parserFaults(document: OpenApiDocument | OpenApiDocument30): Promise<unknown> {
  const result = await validateWithReadme(
    structuredClone(document) as Parameters<typeof validateWithReadme>[0],
  )
  return result.valid ? result.warnings : result.errors
}

/** What Redocly's linter finds under the rules in .config, including examples that do not match their schema. */
export async function lintFaults(document: OpenApiDocument | OpenApiDocument30): Promise<string[]> {
  const source = JSON.stringify(document)
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config: await lintConfig })
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer ?? '#/'}: ${message}`,
  )
}
