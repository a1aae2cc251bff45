// What there is to cover, derived from the contract's data: outcomes, rules, answers, operators.
import { clientRules } from '../../src/contract/client-rules.ts'
import { columnTypes } from '../../src/contract/datatables.ts'
import { errorKinds, type ErrorKind } from '../../src/contract/errors.ts'
import { operationList } from '../../src/contract/index.ts'
import { errorKindsOf, type OperationSpec } from '../../src/contract/operation.ts'
import { questions, type Question } from '../../src/contract/questions/register.ts'
import { operators } from '../../src/contract/rows.ts'
import type { Covered } from './meta.ts'
import { transitionNames } from './transitions.ts'

/** Whether nothing but a fault brings a kind about. */
const isInjected = (kind: ErrorKind) => 'injected' in errorKinds[kind]

/** How an operation can be answered: `createRow 400 validation`. */
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

/** One answer of a question, by its place among the meanings. */
export const answerName = (question: string, index: number) => `${question} answer ${String(index + 1)}`

/** All there is by what is covered; names in documentation order. */
export const coverable: Readonly<Record<Covered, readonly string[]>> = {
  outcomes: [...outcomes.flatMap(({ natural }) => natural), 'none 404 unknownOperation'],
  injected: outcomes.flatMap(({ injected }) => injected),
  rules: Object.keys(clientRules),
  answers: switchable.flatMap(({ id, meanings }) => meanings.map((_, index) => answerName(id, index))),
  operators: columnTypes.flatMap((type) => operators.map((operator) => `${type} ${operator}`)),
  transitions: transitionNames,
  learned: switchable.map(({ id }) => id),
}
