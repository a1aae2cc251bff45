// What the document says about itself and about each operation.
import { describe, expect, it } from 'vitest'
import { errorKinds } from '../../src/contract/errors.ts'
import { operationList } from '../../src/contract/index.ts'
import { errorKindsOf, listPathParameters } from '../../src/contract/operation.ts'
import { AnswerError, questionIds, questionsOf } from '../../src/contract/questions/register.ts'
import { defaultScopes, operationIds, type OperationId } from '../../src/contract/scopes.ts'
import { openApiDocument, type OpenApiOptions } from '../../src/openapi.ts'
import { operationOf, operationsOf } from './support/document.ts'

const document = openApiDocument()
const operations = operationsOf(document)
const operation = (id: OperationId, options?: OpenApiOptions) =>
  operationOf(options ? openApiDocument(options) : document, id)

/** Adds a field to every object inside. */
function change(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) change(inner)
  Reflect.set(value, 'added', 'changed')
}

describe('document', () => {
  it('is OpenAPI 3.1 with a title, a server, a bearer key and described tags', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    expect(document.servers).toEqual([{ url: 'https://api.workspace.test/v1' }])
    expect(document.security).toEqual([{ apiKey: [] }])
    expect(document.components?.securitySchemes).toMatchObject({ apiKey: { type: 'http', scheme: 'bearer' } })
    expect(document.tags?.map(({ name }) => name)).toEqual([...new Set(operationList.map(({ tag }) => tag))])
    expect(document.tags?.every(({ description }) => description)).toBe(true)
  })

  it('names a contact', () => {
    expect(document.info.contact).toEqual({ name: 'workspace-api-mock' })
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

  it('refuses invalid answers', () => {
    expect(() => openApiDocument({ answers: { rowShape: 'round' as 'flat' } })).toThrow(AnswerError)
  })

  it('is plain JSON, new at each call', () => {
    const first = openApiDocument()
    expect(JSON.parse(JSON.stringify(first))).toEqual(first)
    const text = JSON.stringify(first)
    change(first)
    expect(JSON.stringify(openApiDocument())).toBe(text)
  })

  it('shows every open question with the answer it was made for', () => {
    expect(Object.keys(document['x-open-questions'])).toEqual(questionIds)
    const { rowShape } = openApiDocument({ answers: { rowShape: 'flat' } })['x-open-questions']
    expect(rowShape).toMatchObject({ answer: 'flat', fixed: false })
  })
})

describe('operations', () => {
  it('are those of the API', () => {
    expect([...operations.keys()].sort()).toEqual([...operationIds].sort())
  })

  it.each(operationList.map((spec) => [spec.id, spec] as const))(
    '%s is documented completely',
    (id, spec) => {
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
      expect(inPath.map(({ name }) => name)).toEqual(listPathParameters(spec.path))
      expect(told.parameters?.every((candidate) => candidate.description && candidate.schema)).not.toBe(false)
    },
  )

  it.each(operationList.map((spec) => [spec.id, spec] as const))('%s tells every error', (id, spec) => {
    const { [String(spec.success.status)]: success, ...errors } = operation(id).responses
    expect(success?.description).toBe(spec.success.description)
    const possible = new Set(errorKindsOf(spec).map((kind) => errorKinds[kind].status))
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

  it('have the current scopes', () => {
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
    for (const { 'x-limits': limits = [] } of operations.values())
      expect(limits).toEqual([...new Set(limits)])
  })
})
