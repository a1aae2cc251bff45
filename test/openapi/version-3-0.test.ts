// Checks that the document in version 3.0 passes other validators, and says the same as version 3.1.
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/openapi.ts'
import { operationIds } from '../../src/contract/scopes.ts'
import { parserFaults, schemaFaults } from './support/validity.ts'

const document = openApiDocument({ openapi: '3.0' })
const schemas = document.components?.schemas as any

/** Every object in the document with its path, except in examples. */
function* partsOf(part: unknown, path = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof part !== 'object' || part === null) return
  if (!Array.isArray(part)) yield [path, part as Record<string, unknown>]
  for (const [key, value] of Object.entries(part))
    if (!/^(?:examples?|x-.*)$/.test(key)) yield* partsOf(value, `${path}/${key}`)
}

describe('the document in version 3.0', () => {
  it('is valid for @seriousme/openapi-schema-validator and @readme/openapi-parser', async () => {
    expect(document.openapi).toBe('3.0.3')
    expect(await schemaFaults(document)).toEqual([])
    expect(await parserFaults(document)).toEqual([])
  })

  it.each([
    { rowShape: 'flat', taskReadExtras: true, mutationBody: 'resource', unknownBodyFields: 'reject' },
    { customFieldOptions: 'label', timeEntryUsers: 'names', bulkErrors: 'numbered' },
    { limitAboveMax: 'reject', bulkAllFailed: 200, emptyColumns: 'absent' },
  ] as const)('is valid for the answers %j', async (answers) => {
    const other = openApiDocument({ answers, openapi: '3.0' })
    expect(await schemaFaults(other)).toEqual([])
    expect(await parserFaults(other)).toEqual([])
  })

  it('has no part that only 3.1 has', () => {
    const newer = [...partsOf(document)].filter(
      ([, part]) =>
        'const' in part || 'contentMediaType' in part || Array.isArray(part.type) || part.type === 'null',
    )
    const besideReference = [...partsOf(document)].filter(
      ([, part]) => typeof part.$ref === 'string' && Object.keys(part).length > 1,
    )
    expect([newer, besideReference]).toEqual([[], []])
  })

  it('has every operation, with the parameters and responses of the one in 3.1', () => {
    const told = (paths: object | undefined) =>
      Object.values(paths ?? {}).flatMap((methods: object) =>
        Object.values(methods).map(({ operationId, parameters = [], responses }) => [
          operationId,
          parameters.map((parameter: { name: string }) => parameter.name),
          Object.keys(responses),
        ]),
      )
    expect(told(document.paths)).toEqual(told(openApiDocument().paths))
    expect(told(document.paths).map(([id]) => id)).toHaveLength(operationIds.length)
  })

  it('lets a field be null with its type, its values, or the schema that it refers to', () => {
    const { priority, repeat_config: repeat, description } = schemas.TaskPatch.properties
    expect(priority).toEqual({
      type: 'string',
      nullable: true,
      enum: ['low', 'normal', 'high', 'urgent', null],
    })
    expect(repeat).toMatchObject({ type: 'object', nullable: true })
    expect(repeat.description).toContain('null ends the recurrence')
    expect(description.anyOf.every((one: { nullable?: true }) => one.nullable)).toBe(true)
    expect(schemas.Task.properties.due_date).toMatchObject({ type: 'integer', nullable: true })
  })

  it('keeps the examples as they are', () => {
    const examplesOf = (part: unknown): unknown[] =>
      typeof part !== 'object' || part === null
        ? []
        : Object.entries(part).flatMap(([key, value]) =>
            key === 'examples' || key === 'example' ? [value] : examplesOf(value),
          )
    expect(examplesOf(document.paths)).toEqual(examplesOf(openApiDocument().paths))
    expect(examplesOf(document.paths).length).toBeGreaterThan(100)
  })
})

describe('openApiDocument', () => {
  it('refuses another version', () => {
    expect(() => openApiDocument({ openapi: '2.0' as never })).toThrow(
      'openapi must be 3.1 or 3.0; received "2.0"',
    )
  })
})
