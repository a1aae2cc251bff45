// What the document says about parameters, bodies, responses and errors.
import type { OpenAPIV3_1 } from 'openapi-types'
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/contract/index.ts'
import type { OperationSpec } from '../../src/contract/operation.ts'
import { resolveAnswers } from '../../src/contract/questions/register.ts'
import type { OperationId } from '../../src/contract/scopes.ts'
import { listFieldNotes } from '../../src/tools/openapi/field-notes.ts'
import { openApiDocument, type OpenApiOptions } from '../../src/openapi.ts'
import { operationOf, operationsOf, schemasOf } from './support/document.ts'

const document = openApiDocument()
const operation = (id: OperationId, options?: OpenApiOptions) =>
  operationOf(options ? openApiDocument(options) : document, id)
const parameter = (id: OperationId, name: string) =>
  operation(id).parameters?.find((candidate) => candidate.name === name)
const content = (id: OperationId, mediaType: string) => operation(id).requestBody?.content[mediaType]
const errorSchema = (id: OperationId, status: number, options?: OpenApiOptions) =>
  operation(id, options).responses[status]?.content?.['application/json']?.schema

describe('parameters', () => {
  it('have bounds and defaults', () => {
    expect(parameter('listRows', 'limit')?.schema).toEqual({ type: 'integer', maximum: 500, default: 50 })
    expect(parameter('listTasks', 'offset')?.schema).toEqual({ type: 'integer', default: 0 })
    expect(parameter('listFormSubmissions', 'since')?.schema).toEqual({ type: 'integer' })
    expect(parameter('listTasks', 'q')?.schema).toEqual({ type: 'string' })
    expect(parameter('listTasks', 'q')?.required).not.toBe(true)
    expect(parameter('listTasks', 'listId')).toMatchObject({ in: 'path', required: true })
  })

  it('have a minimum where the answers refuse what is below it', () => {
    const strict = openApiDocument({ answers: { limitAboveMax: 'reject' } })
    const schemas = ['limit', 'pageSize', 'page'].map(
      (name) => operationOf(strict, 'listRows').parameters?.find((one) => one.name === name)?.schema,
    )
    for (const schema of schemas) expect(schema).toHaveProperty('minimum', 1)
    expect(schemasOf(strict).RowQuery).toMatchObject({ properties: { limit: { minimum: 1, maximum: 500 } } })
    expect(schemasOf(document).RowQuery).not.toHaveProperty('properties.limit.minimum')
  })

  it('have every alias of the contract, with the bounds of its parameter but no default', () => {
    const seen: string[] = []
    for (const [id, { query = {} }] of Object.entries<OperationSpec>(operations) as [
      OperationId,
      OperationSpec,
    ][])
      for (const [name, spec] of Object.entries(query)) {
        if (spec.kind !== 'integer' || spec.alias === undefined) continue
        seen.push(`${id} ${spec.alias}`)
        const { default: initial, ...bounds } = parameter(id, name)?.schema as Record<string, unknown>
        const alias = parameter(id, spec.alias)
        expect(initial).toBeDefined()
        expect(alias).toMatchObject({ name: spec.alias, in: 'query', 'x-provenance': 'documented' })
        expect(alias?.schema).toEqual(bounds)
        expect(alias?.description).toContain(`\`${name}\``)
        expect(alias).not.toHaveProperty('deprecated')
      }
    expect(seen).toEqual(['listRows pageSize'])
  })

  it('leave column filters open', () => {
    expect(parameter('listRows', 'columns')).toMatchObject({
      in: 'query',
      style: 'form',
      explode: true,
      schema: { type: 'object', additionalProperties: { type: 'string' } },
    })
  })
})

describe('notes on fields', () => {
  it('belong to fields that exist', () => {
    const answers = { taskReadExtras: true, rowShape: 'flatInLists' } as const
    const schemas = schemasOf(openApiDocument({ answers }))
    for (const [name, notes] of Object.entries(listFieldNotes(resolveAnswers(answers))))
      for (const [field, note] of Object.entries(notes ?? {}))
        expect(schemas[name]?.properties?.[field], `${name}.${field}`).toMatchObject(
          typeof note === 'string' ? { description: note } : note,
        )
  })
})

describe('bodies', () => {
  it('of task creation are JSON or multipart', () => {
    expect(content('createTask', 'application/json')?.schema).toEqual({
      $ref: '#/components/schemas/TaskCreate',
    })
    const multipart = content('createTask', 'multipart/form-data')
    expect(multipart?.schema).toMatchObject({
      required: ['data'],
      properties: {
        data: { $ref: '#/components/schemas/TaskCreate' },
        file: { type: 'array', maxItems: 10, items: { format: 'binary' } },
      },
    })
    expect(multipart?.encoding?.data).toEqual({ contentType: 'application/json' })
  })

  it('of single uploads need a file', () => {
    for (const id of ['uploadRowAttachment', 'uploadTaskAttachment'] as const) {
      const schema = content(id, 'multipart/form-data')?.schema
      expect(schema).toMatchObject({
        required: ['file'],
        properties: { file: { type: 'string', format: 'binary' } },
      })
    }
  })

  it('keep null out of enumerations, whose names generators take for strings', () => {
    const priority = schemasOf(document).TaskCreate?.properties?.priority
    expect(priority).toMatchObject({
      anyOf: [{ type: 'string', enum: ['low', 'normal', 'high', 'urgent'] }, { type: 'null' }],
    })
    expect(JSON.stringify(document)).not.toMatch(/"enum":\[[^\]]*null/)
  })

  it('name the parts of an upload', () => {
    for (const id of ['createTask', 'uploadRowAttachment', 'uploadTaskAttachment'] as const) {
      const upload = content(id, 'multipart/form-data')
      expect(upload?.encoding?.file?.headers?.['Content-Disposition']).toMatchObject({
        example: 'form-data; name="file"; filename="minutes.txt"',
      })
    }
  })

  it('have no defaults, which generators would make required', () => {
    expect(JSON.stringify(document.components?.schemas)).not.toContain('"default":')
  })

  it('of the query are assumed, all others documented', () => {
    const assumed = [...operationsOf(document).values()].filter(
      ({ requestBody }) => requestBody?.['x-provenance'] === 'assumed',
    )
    expect(assumed.map(({ operationId }) => operationId)).toEqual(['queryRows'])
  })

  it('refuse unknown fields only where the answer says so', () => {
    const schemas = (options?: OpenApiOptions) => schemasOf(openApiDocument(options))
    expect(schemas().TaskPatch).not.toHaveProperty('additionalProperties')
    const strict = schemas({ answers: { unknownBodyFields: 'reject', taskReadExtras: true } })
    for (const name of ['TaskCreate', 'TaskPatch', 'RepeatConfig', 'RowWrite', 'TimeEntryPatch'])
      expect(strict[name], name).toMatchObject({ additionalProperties: false })
    expect(strict.Task).not.toHaveProperty('additionalProperties')
  })
})

describe('responses', () => {
  it('of a download are binary', () => {
    const success = operation('downloadTaskAttachment').responses[200]
    expect(success?.content).toHaveProperty(['application/octet-stream', 'schema', 'format'], 'binary')
    expect(success?.headers).toHaveProperty('Content-Disposition')
  })

  it('whose body the contract does not show are assumed', () => {
    const provenance = (id: OperationId, status: number) => operation(id).responses[status]?.['x-provenance']
    expect(provenance('deleteRow', 200)).toBe('assumed')
    expect(provenance('queryRows', 200)).toBe('assumed')
    expect(provenance('getRow', 200)).toBe('documented')
    expect(provenance('createList', 201)).toBe('documented')
  })

  it('name the two kinds of bulk result', () => {
    const bulk = operation('bulkInsertRows').responses[200]?.content?.['application/json']?.schema
    expect(bulk).toEqual({
      anyOf: [
        { $ref: '#/components/schemas/BulkInsertResult' },
        { $ref: '#/components/schemas/UpsertResult' },
      ],
    })
  })

  it('follow the answers to questions', () => {
    const of = (answers: NonNullable<OpenApiOptions['answers']>) => schemasOf(openApiDocument({ answers }))
    const properties = (schema: OpenAPIV3_1.SchemaObject | undefined) => Object.keys(schema?.properties ?? {})
    expect(properties(of({ taskReadExtras: true }).Task)).toContain('repeat_config')
    expect(of({ formTargetType: 'datatable_row' }).Form).toMatchObject({
      properties: { target_type: { enum: ['task', 'datatable_row'] } },
    })
    expect(of({ rowShape: 'flat' }).Row).toMatchObject({ additionalProperties: true })
    expect(of({ rowShape: 'flatInLists' }).RowPage).toMatchObject({
      properties: { rows: { items: { $ref: '#/components/schemas/ListedRow' } } },
    })
    expect(of({ taskPriority: { none: 9 } }).Task).toMatchObject({
      properties: { priority: { enum: [9, 1, 2, 3, 4] } },
    })
    expect(of({ customFieldTypes: ['text', 'text', 'number'] }).CustomField?.properties?.type).toMatchObject({
      enum: ['text', 'number'],
    })
    expect(of({ customFieldTypes: [] }).CustomField?.properties?.type).not.toHaveProperty('enum')
    expect(of({ bulkErrors: 'numbered' }).RowErrors).toMatchObject({
      items: { required: ['row', 'message'] },
    })
    expect(of({ mutationBody: 'empty' })).not.toHaveProperty('Success')
  })
})

describe('errors', () => {
  it('carry the facts of a limit with 429, transient with 503', () => {
    expect(errorSchema('getIdentity', 429)).toEqual({ $ref: '#/components/schemas/LimitErrorBody' })
    expect(errorSchema('getIdentity', 503)).toEqual({ $ref: '#/components/schemas/TransientErrorBody' })
    expect(errorSchema('getIdentity', 500)).toEqual({ $ref: '#/components/schemas/ErrorBody' })
    expect(errorSchema('getIdentity', 401)).toEqual({ $ref: '#/components/schemas/KeyErrorBody' })
    expect(errorSchema('getIdentity', 403)).toEqual({ $ref: '#/components/schemas/ErrorBody' })
    const { LimitErrorBody, TransientErrorBody } = schemasOf(document)
    expect(LimitErrorBody).toMatchObject({ required: ['limitReached', 'resource', 'limit', 'current'] })
    expect(TransientErrorBody).toMatchObject({
      properties: { transient: { const: true } },
      required: ['transient'],
    })
  })

  it.each([
    ['createSpace', 403, 'spacesLimit', { spacesLimit: { free: 3 } }, 3, 3],
    ['submitInsertJob', 429, 'concurrentJobs', {}, 1, 1],
    ['submitInsertJob', 403, 'asyncBulk', {}, 0, 0],
    ['bulkInsertRows', 413, 'rowsPerRequest', {}, 250, 251],
    ['bulkInsertRows', 429, 'bulkRate', {}, 10, 11],
  ] as const)(
    '%s %i: the example of %s counts the request where it counts',
    (id, status, kind, answers, limit, current) => {
      const content = operation(id, { answers }).responses[status]?.content?.['application/json']
      expect(content?.examples?.[kind]).toMatchObject({ value: { limitReached: true, limit, current } })
    },
  )

  it('of a bulk request name its rows where the answers say so', () => {
    expect(errorSchema('bulkInsertRows', 400)).toHaveProperty('properties.errors')
    const plain = { $ref: '#/components/schemas/ErrorBody' }
    expect(errorSchema('bulkInsertRows', 400, { answers: { bulkAllFailed: 200 } })).toEqual(plain)
    expect(errorSchema('bulkInsertRows', 400, { answers: { bulkErrors: 'omit' } })).toEqual(plain)
  })

  it('leave out the kinds that the answers rule out', () => {
    const refusals = (id: OperationId, options?: OpenApiOptions) =>
      operation(id, options).responses[403]?.['x-error-kinds']
    expect(refusals('createRow')).not.toContain('lockedTable')
    expect(refusals('createRow', { answers: { lockedTable: 'writes' } })).toContain('lockedTable')
    expect(refusals('bulkInsertRows')).toContain('lockedTable')
    expect(refusals('bulkInsertRows', { answers: { lockedTable: 'jobs' } })).not.toContain('lockedTable')
    expect(refusals('submitInsertJob', { answers: { lockedTable: 'jobs' } })).toContain('lockedTable')
    expect(refusals('updateTimeEntry')).not.toContain('runningEntry')
    expect(refusals('updateTimeEntry', { answers: { editRunning: 403 } })).toContain('runningEntry')
  })
})
