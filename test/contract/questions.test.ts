// Checks that the register of open questions is complete, and which answers are refused.
import { describe, expect, it } from 'vitest'
import {
  AnswerError,
  defaultAnswers,
  questionIds,
  questionRecords,
  questions,
  questionsOf,
  resolveAnswers,
} from '../../src/contract/questions/register.ts'
import { operationIds } from '../../src/contract/scopes.ts'

const shapes = ['rowShape', 'emptyColumns', 'rowVersion', 'relationValues', 'taskPriority', 'taskReadExtras']
  .concat([
    'customFieldTypes',
    'customFieldOptions',
    'timeEntryUsers',
    'formTargetType',
    'formStructure',
    'queryBody',
  ])
  .concat(['bulkErrors', 'bulkAllFailed', 'bulkTotal', 'limitFacts', 'retryAfter', 'mutationBody'])
const requests = [
  'checkOrder',
  'generalStatuses',
  'billingLapse',
  'unknownBodyFields',
  'contentType',
  'limitAboveMax',
]
  .concat([
    'columnNames',
    'unknownSortColumn',
    'unknownFilter',
    'multipart',
    'unknownReferences',
    'emptyNames',
    'colors',
  ])
  .concat(['projectId', 'clearing', 'customDataPatch', 'unknownRowKeys', 'unknownCustomFields', 'typeChecks'])
  .concat(['attachmentWrites'])
const service = [
  'filterValues',
  'queryText',
  'emptyValues',
  'listOrder',
  'upsertMatch',
  'jobTransitions',
  'jobTimeline',
]
  .concat([
    'jobChunkErrors',
    'lockedTable',
    'statusTransitions',
    'defaultStatuses',
    'privateById',
    'taskStatusFilter',
  ])
  .concat([
    'formulaLanguage',
    'manualEntry',
    'runningDuration',
    'startEntry',
    'stopEntry',
    'editRunning',
    'recurrence',
  ])
  .concat(['restoreTask', 'formPublishing', 'rowAttachmentName', 'webhooks', 'versioning'])
const keys = [
  'keyPrefix',
  'scopes',
  'actingMember',
  'ownComment',
  'bulkInsertPerMinute',
  'requestsPerMonth',
].concat(['maxFileBytes', 'scalePlan', 'planFeatures', 'spacesLimit', 'listsLimit', 'bodyBytes'])

describe('questions', () => {
  it('hold every known question', () => {
    expect(questionIds).toEqual(expect.arrayContaining([...shapes, ...requests, ...service, ...keys]))
  })

  it.each(questionIds)(
    '%s says where it comes from, what is not shown, what each answer means, and which operations it affects',
    (id) => {
      const question = questions[id]
      expect(question.source).not.toBe('')
      expect(question.notShown).not.toBe('')
      expect(question.meanings.length).toBeGreaterThanOrEqual(question.fixed ? 1 : 2)
      expect(question.operations.length).toBeGreaterThan(0)
      for (const operation of question.operations) {
        expect(operationIds).toContain(operation)
        expect(questionsOf(operation)).toContain(id)
      }
      expect(question.schema().safeParse(question.default).success).toBe(true)
      expect(defaultAnswers[id]).toEqual(question.default)
    },
  )

  it('are plain JSON as records', () => {
    const records = questionRecords()
    expect(records.map(({ id }) => id)).toEqual(questionIds)
    expect(JSON.parse(JSON.stringify(records))).toEqual(records)
    for (const record of records) expect(record.schema).toBeTypeOf('object')
  })

  it('take every other answer that is listed as a literal', () => {
    for (const { id, schema, meanings } of Object.values(questions)) {
      const literals = meanings
        .map(({ answer }) => answer)
        .filter((answer) => schema().safeParse(answer).success)
      for (const answer of literals) expect(resolveAnswers({ [id]: answer })[id]).toEqual(answer)
      expect(literals.length).toBeGreaterThan(0)
    }
  })

  it('name the nearest id when one is unknown', () => {
    expect(() => resolveAnswers({ rowShapes: 'flat' })).toThrow(/rowShapes.*rowShape/)
    expect(() => resolveAnswers({ rowShapes: 'flat' })).toThrow(AnswerError)
  })

  it('name the value and what is allowed when it is outside', () => {
    expect(() => resolveAnswers({ rowShape: 'round' })).toThrow(/rowShape.*round.*flat/)
    expect(() => resolveAnswers({ bodyBytes: 0 })).toThrow(/bodyBytes/)
  })

  it('leave the current answers untouched', () => {
    const inForce = resolveAnswers({ taskPriority: { none: 9 } })
    expect(inForce.taskPriority).toEqual({ none: 9, low: 1, normal: 2, high: 3, urgent: 4 })
    expect(resolveAnswers({ rowShape: 'flat' }, inForce).taskPriority.none).toBe(9)
    expect(inForce.rowShape).toBe('data')
    expect(defaultAnswers.taskPriority.none).toBe(0)
  })
})
