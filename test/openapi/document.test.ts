// Owns what the document says of each operation, parameter, body and error.
import type { OpenAPIV3_1 } from 'openapi-types'
import { describe, expect, it } from 'vitest'
import { errorKinds, generalErrors } from '../../src/contract/errors.ts'
import { operationList } from '../../src/contract/index.ts'
import { errorKindsOf, pathParameters } from '../../src/contract/operation.ts'
import { AnswerError, questionIds, questionsOf } from '../../src/contract/questions.ts'
import { defaultScopes, operationIds, type OperationId } from '../../src/contract/scopes.ts'
import { openApiDocument, type OpenApiOptions } from '../../src/openapi/index.ts'
import { operationsOf, schemasOf, type DocumentedOperation } from './document.ts'

const document = openApiDocument()
const operations = operationsOf(document)

function operation(id: OperationId, options?: OpenApiOptions): DocumentedOperation {
  const found = (options ? operationsOf(openApiDocument(options)) : operations).get(id)
  if (!found) throw new Error(`the document has no ${id}`)
  return found
}

const parameter = (id: OperationId, name: string) =>
  operation(id).parameters?.find((candidate) => candidate.name === name)
const content = (id: OperationId, mediaType: string) => operation(id).requestBody?.content[mediaType]
const errorSchema = (id: OperationId, status: number, options?: OpenApiOptions) =>
  operation(id, options).responses[status]?.content?.['application/json']?.schema

describe('document', () => {
  it('is OpenAPI 3.1 with a title, a server, a bearer key and tags that are told', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.servers).toEqual([{ url: 'https://api.workspace.test/v1' }])
    expect(document.security).toEqual([{ apiKey: [] }])
    expect(document.components?.securitySchemes).toMatchObject({ apiKey: { type: 'http', scheme: 'bearer' } })
    expect(document.tags?.map(({ name }) => name)).toEqual([...new Set(operationList.map(({ tag }) => tag))])
    expect(document.tags?.every(({ description }) => description)).toBe(true)
  })

  it('takes base address and title', () => {
    const other = openApiDocument({ baseUrl: 'http://127.0.0.1:4010/v1', title: 'Ours' })
    expect(other.servers).toEqual([{ url: 'http://127.0.0.1:4010/v1' }])
    expect(other.info.title).toBe('Ours')
    expect(JSON.stringify(other)).not.toContain('api.workspace.test')
  })

  it.each(['', 'api', '/v1', 'ftp://host/v1', 'https://host', 'https://host/v1/'])(
    'refuses the base address %j',
    (baseUrl) => {
      expect(() => openApiDocument({ baseUrl })).toThrow(/baseUrl must be .* received/)
    },
  )

  it('refuses answers that are none', () => {
    expect(() => openApiDocument({ answers: { rowShape: 'round' as 'flat' } })).toThrow(AnswerError)
  })

  it('is plain JSON, made anew at each call', () => {
    const first = openApiDocument()
    expect(JSON.parse(JSON.stringify(first))).toEqual(first)
    first.info.title = 'changed'
    for (const schema of Object.values(first.components?.schemas ?? {})) schema.title = 'changed'
    expect(openApiDocument()).toEqual(document)
  })

  it('shows every open question with the answer it was made for', () => {
    expect(Object.keys(document['x-open-questions'])).toEqual(questionIds)
    const { rowShape } = openApiDocument({ answers: { rowShape: 'flat' } })['x-open-questions']
    expect(rowShape).toMatchObject({ answer: 'flat', fixed: false })
  })
})

describe('operations', () => {
  it('are the 42, in order', () => {
    expect([...operations.keys()].sort()).toEqual([...operationIds].sort())
    expect(operations.size).toBe(42)
  })

  it.each(operationList.map((spec) => [spec.id, spec] as const))('%s is told whole', (id, spec) => {
    const told = operation(id)
    expect(told).toMatchObject({
      tags: [spec.tag],
      summary: spec.summary,
      'x-scope': defaultScopes[id],
      'x-open-questions': questionsOf(id),
    })
    expect(told.path).toBe(spec.path)
    expect(told.method).toBe(spec.method)
    expect(told.description).toContain(defaultScopes[id])
    const inPath = (told.parameters ?? []).filter((candidate) => candidate.in === 'path')
    expect(inPath.map(({ name }) => name)).toEqual(pathParameters(spec.path))
    expect(told.parameters?.every((candidate) => candidate.description && candidate.schema)).not.toBe(false)
  })

  it.each(operationList.map((spec) => [spec.id, spec] as const))('%s tells every error', (id, spec) => {
    const { [String(spec.success.status)]: success, ...errors } = operation(id).responses
    expect(success?.description).toBe(spec.success.description)
    const possible = new Set(errorKindsOf(spec, generalErrors).map((kind) => errorKinds[kind].status))
    expect(Object.keys(errors).map(Number)).toEqual([...possible].sort((a, b) => a - b))
    for (const [status, error] of Object.entries(errors)) {
      const documented = spec.documentedErrors.includes(Number(status) as 400)
      expect(error?.['x-provenance']).toBe(documented ? 'documented' : 'assumed')
      for (const kind of error?.['x-error-kinds'] ?? [])
        expect(error?.description.toLowerCase()).toContain(errorKinds[kind].when.toLowerCase())
      expect(Object.keys(error?.headers ?? {})).toEqual(
        status === '429' ? ['Retry-After', 'X-RateLimit-Limit'] : [],
      )
    }
    for (const status of spec.documentedErrors) expect(errors).toHaveProperty(String(status))
  })

  it('take the scopes that are in force', () => {
    const told = operation('getJob', { answers: { scopes: { ...defaultScopes, getJob: 'bulk:read' } } })
    expect(told['x-scope']).toBe('bulk:read')
    expect(told.description).toContain('bulk:read')
  })

  it('name the limits that refuse them', () => {
    expect(operation('bulkInsertRows')['x-limits']).toEqual([
      'requestsPerMonth',
      'bulkInsertPerMinute',
      'bulkRowsPerRequest',
    ])
  })
})

describe('parameters', () => {
  it('have bounds and defaults', () => {
    expect(parameter('listRows', 'limit')?.schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 500,
      default: 50,
    })
    expect(parameter('listTasks', 'offset')?.schema).toEqual({ type: 'integer', minimum: 0, default: 0 })
    expect(parameter('listFormSubmissions', 'since')?.schema).toEqual({ type: 'integer', minimum: 0 })
    expect(parameter('listTasks', 'q')?.schema).toEqual({ type: 'string' })
  })

  it('have an alias of their own standing', () => {
    const alias = parameter('listRows', 'pageSize')
    expect(alias).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, maximum: 500 } })
    expect(alias).not.toHaveProperty('deprecated')
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

  it('have no defaults, which generators would make required', () => {
    expect(JSON.stringify(document.components?.schemas)).not.toContain('"default":')
  })

  it('of the query are assumed, all others documented', () => {
    const assumed = [...operations.values()].filter(
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

describe('answers', () => {
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
    const { LimitErrorBody, TransientErrorBody } = schemasOf(document)
    expect(LimitErrorBody).toMatchObject({ required: ['limitReached', 'resource', 'limit', 'current'] })
    expect(TransientErrorBody).toMatchObject({
      properties: { transient: { const: true } },
      required: ['transient'],
    })
  })

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
