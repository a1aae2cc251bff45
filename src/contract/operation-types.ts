// The types of what each operation takes and returns, for tests and clients.
import type { OperationId } from './index.ts'
import type * as types from './types.d.ts'
import type { OperationTypes } from './types.d.ts'

/** A custom field with full options, the default form. */
export type CustomField = Extract<types.CustomField, { options?: types.Option[] | undefined }>

/** The JSON body of an operation: `RequestBody<'createTask'>`; undefined if it takes none. */
export type RequestBody<Id extends OperationId> = OperationTypes[Id]['body']

/** The body of an operation's successful response under the default answers: `ResponseBody<'getTask'>`. */
export type ResponseBody<Id extends OperationId> = OperationTypes[Id]['response']
