// All rules, in the order in which they are checked.
import { bulkRowRules } from './rows/bulk.ts'
import { commentRules } from './comments.ts'
import { datatableRules } from './datatables.ts'
import { everyOperation } from './every-operation.ts'
import { formRules } from './forms.ts'
import { identityRules } from './identity.ts'
import { jobRules } from './jobs.ts'
import { rowConsequenceRules } from './rows/consequences.ts'
import { rowAttachmentRules } from './rows/attachments.ts'
import { rowListingRules } from './rows/listing.ts'
import { rowQueryRules } from './rows/query.ts'
import { rowWriteRules } from './rows/writes.ts'
import { rowRules } from './rows/rows.ts'
import type { Rule } from '../engine/rule.ts'
import { spaceRules } from './spaces.ts'
import { customFieldRules } from './tasks/custom-fields.ts'
import { taskAttachmentRules } from './tasks/attachments.ts'
import { taskConsequenceRules } from './tasks/consequences.ts'
import { taskRecurrenceRules } from './tasks/recurrence.ts'
import { taskWriteRules } from './tasks/writes.ts'
import { taskRules } from './tasks/tasks.ts'
import { timeEntryRules } from './time-entries.ts'
import { timerRules } from './timers.ts'
import { textRules } from './texts.ts'
import { timeRules } from './times.ts'

const all: readonly Rule[] = [
  ...identityRules,
  ...datatableRules,
  ...rowRules,
  ...rowListingRules,
  ...rowQueryRules,
  ...rowWriteRules,
  ...rowConsequenceRules,
  ...bulkRowRules,
  ...jobRules,
  ...rowAttachmentRules,
  ...spaceRules,
  ...taskRules,
  ...customFieldRules,
  ...taskWriteRules,
  ...taskRecurrenceRules,
  ...taskConsequenceRules,
  ...commentRules,
  ...timeEntryRules,
  ...timerRules,
  ...taskAttachmentRules,
  ...formRules,
  ...textRules,
  ...timeRules,
  ...everyOperation,
]

/** What reads alone goes first, so that it sees the deployment untouched. */
export const rules: readonly Rule[] = [
  ...all.filter(({ needs }) => needs === 'read'),
  ...all.filter(({ needs }) => needs === 'write'),
]
