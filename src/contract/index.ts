// All operations, in the order of the documentation.
import { commentOperations } from './comments.ts'
import { datatableOperations } from './datatables.ts'
import { formOperations } from './forms.ts'
import { identityOperations } from './identity.ts'
import { jobOperations } from './jobs.ts'
import { listOperations } from './lists.ts'
import type { BodyOf, OperationSpec, PathParameter, QueryOf, SuccessOf } from './operation.ts'
import { rowAttachmentOperations } from './row-attachments.ts'
import { rowOperations } from './rows.ts'
import type { OperationId } from './scopes.ts'
import { spaceOperations } from './spaces.ts'
import { taskAttachmentOperations } from './task-attachments.ts'
import { taskOperations } from './tasks.ts'
import { timeEntryOperations } from './time-entries.ts'

export const operations = {
  ...identityOperations,
  ...datatableOperations,
  ...rowOperations,
  ...jobOperations,
  ...rowAttachmentOperations,
  ...spaceOperations,
  ...listOperations,
  ...taskOperations,
  ...commentOperations,
  ...timeEntryOperations,
  ...taskAttachmentOperations,
  ...formOperations,
} satisfies { readonly [Id in OperationId]: OperationSpec & { readonly id: Id } }

export type Operations = typeof operations
export type { OperationId }

export type PathOf<Id extends OperationId> = PathParameter<Operations[Id]['path']>
export type QueryFor<Id extends OperationId> = QueryOf<Operations[Id]>
export type BodyFor<Id extends OperationId> = BodyOf<Operations[Id]>
export type SuccessFor<Id extends OperationId> = SuccessOf<Operations[Id]>

export type Operation = OperationSpec & { readonly id: OperationId }
export const operationList: readonly Operation[] = Object.values(operations)
