// All handlers, by operation: a missing one does not compile.
import type { Handlers } from '../core/context.ts'
import * as comments from './comments.ts'
import * as datatables from './datatables.ts'
import * as forms from './forms.ts'
import * as identity from './identity.ts'
import * as jobs from './jobs.ts'
import * as lists from './lists.ts'
import * as rowAttachments from './row-attachments.ts'
import * as rows from './rows.ts'
import * as spaces from './spaces.ts'
import * as taskAttachments from './task-attachments.ts'
import * as tasks from './tasks.ts'
import * as timeEntries from './time-entries.ts'

export const handlers: Handlers = {
  ...identity,
  ...datatables,
  ...rows,
  ...jobs,
  ...rowAttachments,
  ...spaces,
  ...lists,
  ...tasks,
  ...comments,
  ...timeEntries,
  ...taskAttachments,
  ...forms,
}
