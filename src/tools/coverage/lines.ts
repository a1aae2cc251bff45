// Tells how to produce an outcome of an operation: with a control if one causes it, otherwise with a fault.
import { errorKinds, limitOfKind, type ErrorKind } from '../../contract/errors.ts'
import { operations, type OperationId } from '../../contract/index.ts'
import { listPathParameters, type OperationSpec } from '../../contract/operation.ts'
import { toLiteral } from '../../contract/text/literal.ts'
import type { CoverageReport, OutcomeCoverage } from '../../mock/journal/coverage.ts'
import type { OutcomeCase } from '../../mock/journal/coverage-counts.ts'
import { findFaultKind } from '../../mock/faults/fault-spec.ts'

/** A step towards an outcome: a control, or a request to the API. Ids in the request are variables such as `tableId`. */
export type OutcomeStep =
  | {
      /** The name of a control in the control API. */
      readonly control: string
      readonly args: readonly unknown[]
      /** The call to write in a test, if it differs from the control. */
      readonly call?: string
    }
  | {
      readonly operation: OperationId
      /** Values the call needs in a test, in addition to ids. */
      readonly given: readonly string[]
      /** A remark for the reader. */
      readonly note?: string
    }

/** An id in a request: a variable in a test, a name in braces in a URL. */
class Variable {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
  toString(): string {
    return `{${this.name}}`
  }
}

const changeWorkspace = (change: object, call: string): OutcomeStep => ({
  control: 'changeWorkspace',
  args: [change],
  call,
})
const setAnswers = (answers: object): OutcomeStep => ({ control: 'setAnswers', args: [answers] })

/** Controls that make the next request fail without a fault, and steps for other outcomes. */
const causes: Partial<Record<OutcomeCase, readonly OutcomeStep[]>> = {
  suspended: [{ control: 'suspendKey', args: ['master', true], call: "suspendKey('master')" }],
  billing: [changeWorkspace({ billing: 'lapsed' }, 'lapseBilling()')],
  apiFeature: [setAnswers({ planFeatures: { free: [], pro: [], business: [], scale: [] } })],
  asyncBulk: [changeWorkspace({ plan: 'free' }, "setPlan('free')")],
  lockedTable: [
    setAnswers({ lockedTable: 'writes' }),
    { control: 'lockTable', args: [new Variable('tableId'), true], call: 'lockTable(tableId)' },
  ],
  runningEntry: [
    setAnswers({ editRunning: 403 }),
    { operation: 'createTimeEntry', given: ["body: { action: 'start' }"], note: 'with {"action":"start"}' },
  ],
  jobFailed: [{ control: 'failJob', args: [new Variable('jobId')], call: 'failJob(jobId)' }],
  jobErrors: [{ control: 'fault', args: [{ operation: 'submitInsertJob', job: 'errors' }] }],
}

/** Lists the steps that produce an outcome of an operation. */
function listSteps(id: OperationId, kind: OutcomeCase): readonly OutcomeStep[] {
  const operation: OperationSpec & { readonly id: OperationId } = operations[id]
  const { body } = operation
  const call = (given: readonly string[], note?: string): readonly OutcomeStep[] => [
    { operation: id, given, ...(note !== undefined && { note }) },
  ]
  if (kind === 'success') return call(body?.json ? ['body'] : body?.multipart ? ['files'] : [])
  if (kind === 'partlyFailed') return call(['body: { rows: [{}, null] }'], 'with {"rows":[{},null]}')
  if (kind === 'jobFailed' || kind === 'jobErrors') return causes[kind] ?? []
  const limit = limitOfKind(kind)
  const cause =
    causes[kind] ??
    (limit && [changeWorkspace({ limits: { [limit]: 0 } }, `setLimits(${toLiteral({ [limit]: 0 })})`)])
  if (cause !== undefined) return cause
  const { status } = errorKinds[kind]
  if (findFaultKind(operation, status, undefined) === kind)
    return [{ control: 'fault', args: [{ operation: id, status }] }]
  if (kind === 'foreignComment') return call(["as: 'scoped'", 'body'], 'with a scoped key')
  if (kind === 'bodySize' && body?.json) return [setAnswers({ bodyBytes: 1 })]
  return call(["files: [new File([new Uint8Array(2 ** 27)], 'large')]"], 'with a file of 128 MiB')
}

/** Formats a step for its audience: a test or HTTP. */
export type WriteStep = (step: OutcomeStep) => string

/** Writes a step as a line of a test, with variables for the request's ids. */
const toTestLine: WriteStep = (step) => {
  if ('control' in step) {
    const { control, args, call = `${control}(${args.map((arg) => toLiteral(arg)).join(', ')})` } = step
    return `mock.${call}`
  }
  const names = listPathParameters(operations[step.operation].path)
  const params = names.length > 0 ? [`params: { ${names.join(', ')} }`] : []
  const options = [...params, ...step.given]
  return `await call('${step.operation}'${options.length > 0 ? `, { ${options.join(', ')} }` : ''})`
}

/** Writes the steps to an outcome on one line. */
export const toOutcomeLine = (id: OperationId, kind: OutcomeCase, write: WriteStep = toTestLine): string =>
  listSteps(id, kind).map(write).join('; ')

export const isMet = ({ natural, byFault }: OutcomeCoverage) => natural + byFault > 0

const successes = {
  success: 'the request succeeds',
  partlyFailed: 'some rows in the request are invalid',
  jobErrors: 'the job finishes, but some of its rows are invalid',
  jobFailed: 'the job fails',
} as const satisfies Record<Exclude<OutcomeCase, ErrorKind>, string>

export const whenOf = (kind: OutcomeCase): string =>
  kind in successes ? successes[kind as keyof typeof successes] : errorKinds[kind as ErrorKind].when

/** Lists outcomes that were never hit: when the API responds with each, and the line that produces it. */
export const findMissingOutcomes = (
  { operations: all }: Pick<CoverageReport, 'operations'>,
  write?: WriteStep,
) =>
  all.flatMap(({ operation, outcomes }) =>
    outcomes
      .filter((outcome) => !isMet(outcome))
      .map(({ status, case: kind }) => {
        return {
          operation,
          status,
          case: kind,
          when: whenOf(kind),
          line: toOutcomeLine(operation, kind, write),
        }
      }),
  )
