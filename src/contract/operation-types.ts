// What each operation takes and returns, as types for tests and clients.
import type { OperationId } from './index.ts'
import type * as types from './types.d.ts'
import type { OperationTypes } from './types.d.ts'

/** A custom field with whole options, as it is served by default. */
export type CustomField = Extract<types.CustomField, { options?: types.Option[] | undefined }>

/** The JSON body that an operation takes: `RequestBody<'createTask'>`; undefined for one without a body. */
export type RequestBody<Id extends OperationId> = OperationTypes[Id]['body']

/** The body of an operation's successful response with the default answers: `ResponseBody<'getTask'>`. */
export type ResponseBody<Id extends OperationId> = OperationTypes[Id]['response']
