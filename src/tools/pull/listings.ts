// The reads of a pull, one per line, in the order in which they are requested.
import { operations, type OperationId, type SuccessFor } from '../../contract/index.ts'
import { isObject, readField } from '../../contract/data/objects.ts'
import { listPathParameters } from '../../contract/operation.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'

interface ListingSpec {
  /** The response field that holds the records. */
  readonly holds: string
  /** The listing of the owners, whose ids are in the path. */
  readonly of?: OperationId
  /** The operation that reads a single record, which may show more of it. */
  readonly alone?: OperationId
  /** Paths of operations that need this listing. */
  readonly for?: RegExp
}

const tables = /^\/(datatables|jobs)/
const lists = /^\/(lists\/\{listId\}\/|tasks)/
const forms = /^\/forms/

const listings = {
  getIdentity: { holds: 'workspace' },
  listDatatables: { holds: 'datatables' },
  listLists: { holds: 'lists' },
  listSpaces: { holds: 'spaces' },
  listForms: { holds: 'forms' },
  getDatatableSchema: { holds: 'columns', of: 'listDatatables', for: tables },
  listRows: { holds: 'rows', of: 'listDatatables', for: tables, alone: 'getRow' },
  getListSchema: { holds: 'fields', of: 'listLists', for: lists },
  listTasks: { holds: 'tasks', of: 'listLists', for: lists, alone: 'getTask' },
  listComments: { holds: 'comments', of: 'listTasks', for: /\/comments/ },
  listTimeEntries: { holds: 'entries', of: 'listTasks', for: /\/time-entries/ },
  listTaskAttachments: { holds: 'attachments', of: 'listTasks', for: /^\/tasks\/.*\/attachments/ },
  getForm: { holds: 'form', of: 'listForms', for: forms },
  listFormSubmissions: { holds: 'submissions', of: 'listForms', for: forms },
} as const satisfies Partial<Record<OperationId, ListingSpec>>

export type ListingId = keyof typeof listings
export const listingIds = Object.keys(listings) as ListingId[]

export const findListing = (operation: OperationId): ListingSpec | undefined =>
  (listings as Partial<Record<OperationId, ListingSpec>>)[operation]

/** A record from a response: its values are valid, but some may be missing. */
export type Shown<T> = { readonly [Name in keyof T]?: T[Name] } & { readonly id: string }

export type Listed<Id extends ListingId> =
  SuccessFor<Id> extends Readonly<Record<(typeof listings)[Id]['holds'], readonly (infer R)[]>> ? R : never

/** The listing of an operation's record, such as listTasks for getTask. */
export function listingOf(operation: OperationId): ListingId | undefined {
  if (operation === 'uploadRowAttachment') return 'listRows'
  const [, noun] = /^(?:get|create|update|upload)(\w+)$/.exec(operation) ?? []
  const listing = `list${noun?.replace(/y$/, 'ie') ?? ''}s`
  return listingIds.find((id) => id === listing)
}

/** Names of the ids in an operation's path. */
export const idNamesOf = (operation: OperationId) => listPathParameters(operations[operation].path)

/** Whether a fixture can hold an id. */
export const isId = (id: unknown): id is string => typeof id === 'string' && id !== '' && id !== '__proto__'

/** Skips records without a valid id. */
export function findRecords<T = JsonObject>(body: unknown, name: string): Shown<T>[] {
  const list = readField(body, name)
  if (!Array.isArray(list)) return []
  return list.filter((record): record is Shown<T> => isObject(record) && isId(record.id))
}

/** Names the shape a body should have; undefined if it has that shape. */
export function describeExpected(operation: OperationId, body: unknown): string | undefined {
  const name = findListing(operation)?.holds
  if (name === undefined) return isObject(body) ? undefined : 'a JSON object'
  const isSingle = name === 'workspace' || name === 'form'
  const content = readField(body, name)
  if (isSingle ? isObject(content) : Array.isArray(content)) return undefined
  return isSingle ? `{"${name}": {…}}` : `{"${name}": […]}`
}
