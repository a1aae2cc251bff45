// The line of a test that produces an outcome of an operation: a control if one causes it, otherwise a fault.
import { errorKinds, limitOfKind, type ErrorKind } from '../../contract/errors.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import { listPathParameters, type OperationSpec } from '../../contract/operation.ts'
import type { CoverageReport, OutcomeCoverage } from '../../mock/journal/coverage.ts'
import type { OutcomeCase } from '../../mock/journal/coverage-counts.ts'
import { findFaultKind } from '../../mock/faults/fault-spec.ts'

/** Controls after which the next request is refused for a natural reason, and the lines of other outcomes. */
const causes: Partial<Record<OutcomeCase, string>> = {
  suspended: "mock.suspendKey('master')",
  billing: 'mock.lapseBilling()',
  apiFeature: 'mock.setAnswers({ planFeatures: { free: [], pro: [], business: [], scale: [] } })',
  asyncBulk: "mock.setPlan('free')",
  lockedTable: "mock.setAnswers({ lockedTable: 'writes' }); mock.lockTable(tableId)",
  runningEntry:
    "mock.setAnswers({ editRunning: 403 }); await call('createTimeEntry', { params: { taskId }, body: { action: 'start' } })",
  jobFailed: 'mock.failJob(jobId)',
  jobErrors: "mock.fault({ operation: 'submitInsertJob', job: 'errors' })",
}

function toCallLine(operation: OperationSpec, given: readonly string[]): string {
  const names = listPathParameters(operation.path)
  const params = names.length > 0 ? [`params: { ${names.join(', ')} }`] : []
  const options = [...params, ...given]
  return `await call('${operation.id}'${options.length > 0 ? `, { ${options.join(', ')} }` : ''})`
}

/** The line, with variables for the ids of the request: `tableId` and so on. */
export function toOutcomeLine(id: OperationId, kind: OutcomeCase): string {
  const operation: OperationSpec & { readonly id: OperationId } = operations[id]
  const { body } = operation
  if (kind === 'success')
    return toCallLine(operation, body?.json ? ['body'] : body?.multipart ? ['files'] : [])
  if (kind === 'partlyFailed') return toCallLine(operation, ['body: { rows: [{}, null] }'])
  if (kind === 'jobFailed' || kind === 'jobErrors') return causes[kind] ?? ''
  const limit = limitOfKind(kind)
  const cause = causes[kind] ?? (limit && `mock.setLimits({ ${limit}: 0 })`)
  if (cause !== undefined) return cause
  const { status } = errorKinds[kind]
  if (findFaultKind(operation, status, undefined) === kind)
    return `mock.fault({ operation: '${id}', status: ${String(status)} })`
  if (kind === 'foreignComment') return toCallLine(operation, ["as: 'scoped'", 'body'])
  if (kind === 'bodySize' && body?.json) return 'mock.setAnswers({ bodyBytes: 1 })'
  return toCallLine(operation, ["files: [new File([new Uint8Array(2 ** 27)], 'large')]"])
}

export const isMet = ({ natural, byFault }: OutcomeCoverage) => natural + byFault > 0

const successes = {
  success: 'all is well',
  partlyFailed: 'some rows of the request are invalid',
  jobErrors: 'the job is done, but some of its rows are invalid',
  jobFailed: 'the job has failed',
} as const satisfies Record<Exclude<OutcomeCase, ErrorKind>, string>

export const whenOf = (kind: OutcomeCase): string =>
  kind in successes ? successes[kind as keyof typeof successes] : errorKinds[kind as ErrorKind].when

/** The outcomes that were never met: when the API responds with them, and the line of a test that produces them. */
export const findMissingOutcomes = ({ operations: all }: Pick<CoverageReport, 'operations'>) =>
  all.flatMap(({ operation, outcomes }) =>
    outcomes
      .filter((outcome) => !isMet(outcome))
      .map(({ status, case: kind }) => {
        return { operation, status, case: kind, when: whenOf(kind), line: toOutcomeLine(operation, kind) }
      }),
  )
