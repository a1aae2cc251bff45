// All scenarios in the order of a run: those that only read come first and see the deployment untouched.
import type { Scenario } from '../twin/player.ts'
import { bulkScenarios } from './bulk.ts'
import { everyScenarios } from './every.ts'
import { fileScenarios } from './files.ts'
import { commentScenarios } from './comments.ts'
import { formScenarios } from './forms.ts'
import { jobScenarios } from './jobs.ts'
import { listingScenarios } from './listing.ts'
import { queryScenarios } from './queries.ts'
import { rowScenarios } from './rows.ts'
import { spaceScenarios } from './spaces.ts'
import { taskListingScenarios } from './task-listing.ts'
import { taskScenarios } from './tasks.ts'
import { timeEntryScenarios } from './time-entries.ts'

const all: readonly Scenario[] = [
  ...everyScenarios,
  ...listingScenarios,
  ...queryScenarios,
  ...rowScenarios,
  ...bulkScenarios,
  ...jobScenarios,
  ...spaceScenarios,
  ...formScenarios,
  ...taskListingScenarios,
  ...taskScenarios,
  ...commentScenarios,
  ...timeEntryScenarios,
  ...fileScenarios,
]

export const scenarios: readonly Scenario[] = [
  ...all.filter(({ needs }) => needs === 'read'),
  ...all.filter(({ needs }) => needs === 'write'),
]
