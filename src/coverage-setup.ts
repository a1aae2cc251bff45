// Setup file that the coverage reporter adds to a run: attaches the counts of a test file's mocks to its result.
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

// The empty pattern: vitest derives from it that the hook uses no fixtures.
afterAll(({}, file) => {
  file.meta.workspaceApiCoverage = counts
})
