// All handlers, by operation. A missing one fails the type check.
import { commentHandlers } from './comments.ts'
import { datatableHandlers } from './datatables.ts'
import { formHandlers } from './forms.ts'
import { jobHandlers } from './jobs.ts'
import { listHandlers } from './lists.ts'
import type { Handlers } from './request.ts'
import { rowHandlers } from './rows.ts'
import { spaceHandlers } from './spaces.ts'
import { taskAttachmentHandlers } from './task-attachments.ts'
import { taskHandlers } from './tasks.ts'
import { timeEntryHandlers } from './time-entries.ts'
import { workspaceHandlers } from './workspaces.ts'

export const handlers: Handlers = {
  ...workspaceHandlers,
  ...datatableHandlers,
  ...rowHandlers,
  ...jobHandlers,
  ...spaceHandlers,
  ...listHandlers,
  ...taskHandlers,
  ...commentHandlers,
  ...timeEntryHandlers,
  ...taskAttachmentHandlers,
  ...formHandlers,
}
