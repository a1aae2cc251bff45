// The shape of an open question, and groups of operations that several questions affect.
import * as z from 'zod/mini'
import { isDone, type SeenExchange } from './seen-exchange.ts'
import { operationIds, type OperationId } from '../scopes.ts'

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** The facts of a question, as plain data. */
export interface QuestionFacts {
  /** The part of the contract that has the gap. */
  readonly source: string
  readonly notShown: string
  /** The default comes first. `answer` describes answers that are too numerous to list. */
  readonly meanings: readonly { readonly answer: JsonValue; readonly meaning: string }[]
  readonly operations: readonly OperationId[]
  /** Whether the default is the only answer. */
  readonly fixed: boolean
}

/** A question as declared. Its id is the key under which its file exports it. */
export interface QuestionSpec<S extends z.ZodMiniType = z.ZodMiniType> extends QuestionFacts {
  /** Creates the schema of an answer on first use. Most are never needed, and creating them slows every import. */
  readonly schema: () => S
  readonly default: z.output<S>
  /** Whether a response of these operations depended on the answer, as far as the request and the response show. */
  readonly affects: (seen: SeenExchange, answer: unknown) => boolean
}

/** What every kind of declaration takes. By default a question affects every successful response of every operation. */
export type Declared = Pick<QuestionSpec, 'source' | 'notShown'> &
  Partial<Pick<QuestionSpec, 'operations' | 'affects'>>

const defaults = { operations: operationIds, affects: isDone }

/** Declares a question with a few named answers, the default first. */
export function choice<const Name extends string>({
  answers,
  ...declared
}: Declared & { readonly answers: Readonly<Record<Name, string>> }) {
  const names = Object.keys(answers) as [Name, ...Name[]]
  const meanings = names.map((answer) => ({ answer, meaning: answers[answer] }))
  const schema = () => z.enum(names)
  return { ...defaults, ...declared, schema, default: names[0], meanings, fixed: false }
}

/** Declares a question with too many answers to list. `others` describes their form and meaning. */
export function question<S extends z.ZodMiniType>(
  spec: Declared & {
    readonly schema: () => S
    readonly default: z.output<S>
    readonly meaning: string
    readonly others: readonly [answer: JsonValue, meaning: string]
  },
): QuestionSpec<S> {
  const { meaning, others, ...declared } = spec
  const meanings = [
    { answer: spec.default as JsonValue, meaning },
    { answer: others[0], meaning: others[1] },
  ]
  return { ...defaults, ...declared, meanings, fixed: false }
}

const Fixed = () => z.literal('fixed')

/** Declares an assumption without alternatives. */
export function fixedQuestion({
  meaning,
  ...declared
}: Declared & { readonly meaning: string }): QuestionSpec<ReturnType<typeof Fixed>> {
  const meanings = [{ answer: 'fixed', meaning }]
  return { ...defaults, ...declared, schema: Fixed, default: 'fixed', meanings, fixed: true }
}

/** Operations that write column values. */
export const rowWrites = ['createRow', 'bulkInsertRows', 'updateRow', 'submitInsertJob'] as const
const rowReads = ['listRows', 'queryRows', 'getRow'] as const
/** Operations whose responses contain rows. */
export const rowResponses = [...rowReads, 'createRow', 'updateRow', 'uploadRowAttachment'] as const
export const taskWrites = ['createTask', 'updateTask'] as const
export const taskReads = ['listTasks', 'getTask'] as const
export const spaceWrites = ['createSpace', 'updateSpace'] as const
export const listWrites = ['createList', 'updateList'] as const
export const commentWrites = ['createComment', 'updateComment'] as const
/** Operations on one space or list, or on its contents. */
export const belowSpaces = operationIds
  .slice(operationIds.indexOf('updateSpace'), operationIds.indexOf('listForms'))
  .filter((id) => id !== 'listLists')
export const jobIds = ['submitInsertJob', 'getJob'] as const
export const formReads = ['listForms', 'getForm'] as const
export const uploads = ['uploadRowAttachment', 'createTask', 'uploadTaskAttachment'] as const
export const jsonBodies = [
  'queryRows',
  ...rowWrites,
  ...spaceWrites,
  ...listWrites,
  ...taskWrites,
  ...commentWrites,
  'createTimeEntry',
  'updateTimeEntry',
] as const
