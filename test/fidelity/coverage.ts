// Everything that tests can cover, derived from the contract's data: outcomes, rules, answers, operators.
import { clientRules } from '../../src/contract/client-rules.ts'
import { columnTypes } from '../../src/contract/datatables.ts'
import { errorKinds, type ErrorKind } from '../../src/contract/errors.ts'
import { operationList } from '../../src/contract/index.ts'
import { errorKindsOf, type OperationSpec } from '../../src/contract/operation.ts'
import { questions, type Question } from '../../src/contract/questions/register.ts'
import { operators } from '../../src/contract/rows.ts'
import type { Covered } from './meta.ts'
import { transitionNames } from './transitions.ts'

/** Whether only a fault can cause this kind of error. */
const isInjected = (kind: ErrorKind) => 'injected' in errorKinds[kind]

/** The possible outcomes of an operation, such as `createRow 400 validation`. */
function outcomesOf(operation: OperationSpec): { readonly natural: string[]; readonly injected: string[] } {
  const kinds = errorKindsOf(operation)
  const nameOf = (kind: ErrorKind) => `${operation.id} ${String(errorKinds[kind].status)} ${kind}`
  return {
    natural: [
      `${operation.id} ${String(operation.success.status)} success`,
      ...kinds.filter((kind) => !isInjected(kind)).map(nameOf),
    ],
    injected: kinds.filter(isInjected).map(nameOf),
  }
}

const outcomes = operationList.map(outcomesOf)

const switchable = Object.values<Question>(questions).filter(({ fixed }) => !fixed)

/** The name of a question's answer, by its index among the meanings. */
export const answerName = (question: string, index: number) => `${question} answer ${String(index + 1)}`

/** Everything that can be covered, by kind; names are in documentation order. */
export const coverable: Readonly<Record<Covered, readonly string[]>> = {
  outcomes: [...outcomes.flatMap(({ natural }) => natural), 'none 404 unknownOperation'],
  injected: outcomes.flatMap(({ injected }) => injected),
  rules: Object.keys(clientRules),
  answers: switchable.flatMap(({ id, meanings }) => meanings.map((_, index) => answerName(id, index))),
  operators: columnTypes.flatMap((type) => operators.map((operator) => `${type} ${operator}`)),
  transitions: transitionNames,
  learned: switchable.map(({ id }) => id),
}
