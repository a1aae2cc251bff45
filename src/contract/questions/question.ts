// The shape of an open question, and the groups of operations that several questions affect.
import * as z from 'zod/mini'
import type { OperationId } from '../scopes.ts'

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

export interface Meaning {
  /** An answer, or where there are too many to list a few words on what they look like. */
  readonly answer: JsonValue
  readonly meaning: string
}

/** A question as its part's file declares it; its id and part are the place where it stands. */
export interface QuestionSpec<S extends z.ZodMiniType = z.ZodMiniType> {
  /** The part of the contract in which the gap is. */
  readonly source: string
  readonly notShown: string
  readonly schema: S
  readonly default: z.output<S>
  /** The default comes first. */
  readonly meanings: readonly Meaning[]
  readonly operations: readonly OperationId[]
  /** Whether the default is the only answer. */
  readonly fixed: boolean
}

/** Declares a question that has several answers. */
export function question<S extends z.ZodMiniType>(spec: Omit<QuestionSpec<S>, 'fixed'>): QuestionSpec<S> {
  return { ...spec, fixed: false }
}

const Fixed = z.literal('fixed')

/** Declares an assumption that cannot be switched. */
export function fixed(
  spec: Pick<QuestionSpec, 'source' | 'notShown' | 'operations'> & { readonly meaning: string },
): QuestionSpec<typeof Fixed> {
  const { source, notShown, operations, meaning } = spec
  const meanings = [{ answer: 'fixed', meaning }]
  return { source, notShown, schema: Fixed, default: 'fixed', meanings, operations, fixed: true }
}

/** Operations that write column values. */
export const rowWrites = ['createRow', 'bulkInsertRows', 'updateRow', 'submitInsertJob'] as const
const rowReads = ['listRows', 'queryRows', 'getRow'] as const
/** Operations that answer with rows. */
export const rowAnswers = [...rowReads, 'createRow', 'updateRow', 'uploadRowAttachment'] as const
export const taskWrites = ['createTask', 'updateTask'] as const
export const taskReads = ['listTasks', 'getTask'] as const
export const spaceWrites = ['createSpace', 'updateSpace'] as const
export const listWrites = ['createList', 'updateList'] as const
export const commentWrites = ['createComment', 'updateComment'] as const
const timeEntryWrites = ['createTimeEntry', 'updateTimeEntry'] as const
export const jobOperations = ['submitInsertJob', 'getJob'] as const
export const formReads = ['listForms', 'getForm'] as const
export const uploads = ['uploadRowAttachment', 'createTask', 'uploadTaskAttachment'] as const
export const jsonBodies = [
  'queryRows',
  ...rowWrites,
  ...spaceWrites,
  ...listWrites,
  ...taskWrites,
  ...commentWrites,
  ...timeEntryWrites,
] as const
