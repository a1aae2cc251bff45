// Checks that the document passes other validators and a linter, whatever the answers.
import { describe, expect, it } from 'vitest'
import { questions, type AnswersInput, type Question } from '../../src/contract/questions/register.ts'
import { openApiDocument, type OpenApiDocument } from '../../src/openapi.ts'
import { lintFaults, parserFaults, schemaFaults } from './support/validity.ts'

/** Every listed answer other than the default, and one of each kind that a question describes in words. */
const otherAnswers: AnswersInput[] = [
  ...Object.values<Question>(questions).flatMap(({ id, fixed, meanings, schema }) =>
    fixed
      ? []
      : meanings
          .slice(1)
          .filter(({ answer }) => schema().safeParse(answer).success)
          .map(({ answer }) => ({ [id]: answer })),
  ),
  { taskPriority: { none: -1, low: 10, normal: 20, high: 30, urgent: 40 } },
  { customFieldTypes: [] },
  { customFieldTypes: ['text', 'text'] },
  { rowShape: 'flat', taskReadExtras: true, mutationBody: 'resource', unknownBodyFields: 'reject' },
]

describe('the document', () => {
  it('is valid for @seriousme/openapi-schema-validator', async () => {
    expect(await schemaFaults(openApiDocument())).toEqual([])
  })

  it('is valid for @readme/openapi-parser', async () => {
    expect(await parserFaults(openApiDocument())).toEqual([])
  })

  it('is clean for @redocly/openapi-core, its examples too', async () => {
    expect(await lintFaults(openApiDocument())).toEqual([])
  })
})

describe('the judges', () => {
  it('reject an invalid document', async () => {
    const wrong = openApiDocument()
    Object.assign(wrong.info, { title: 7 })
    expect(await schemaFaults(wrong)).not.toEqual([])
    expect(await parserFaults(wrong)).not.toEqual([])
    expect(await lintFaults(wrong)).not.toEqual([])
  })

  it('reject an example that breaks its schema', async () => {
    const text = JSON.stringify(openApiDocument()).replaceAll('"plan":"pro"', '"plan":"golden"')
    const faults = await lintFaults(JSON.parse(text) as OpenApiDocument)
    expect(faults).toEqual([expect.stringContaining('no-invalid-media-type-examples at #/paths/~1me/get')])
  })
})

/** The document without the answers themselves, as text. */
function described(answers: AnswersInput): string {
  return JSON.stringify({ ...openApiDocument({ answers }), 'x-open-questions': {} })
}

describe('the document for other answers', () => {
  const usual = described({})
  const differing = otherAnswers.filter((answers) => described(answers) !== usual)

  it('differs for some answers', () => {
    expect(differing.length).toBeGreaterThan(10)
  })

  it.each(differing.map((answers) => [JSON.stringify(answers).slice(0, 80), answers] as const))(
    'is valid and clean for %s',
    async (_, answers) => {
      const document = openApiDocument({ answers })
      expect(await schemaFaults(document)).toEqual([])
      expect(await lintFaults(document)).toEqual([])
    },
  )
})
