// Setup file that the coverage reporter adds to a run. It attaches the outcome counts of a test file's mocks to that file's
// result.
import { afterAll } from 'vitest'
import {
  collectorKey,
  countOutcome,
  type Collector,
  type CoverageCounts,
} from './mock/journal/coverage-counts.ts'

declare module 'vitest' {
  interface TaskMeta {
    workspaceApiCoverage?: CoverageCounts
  }
}

const counts: CoverageCounts = {}
;(globalThis as { [collectorKey]?: Collector })[collectorKey] = (outcome) => countOutcome(counts, outcome)

// Vitest parses this parameter; an empty pattern tells it that the hook uses no fixtures.
afterAll(({}, file) => {
  file.meta.workspaceApiCoverage = counts
})
