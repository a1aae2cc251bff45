// Setup file that the coverage reporter adds to a run: passes what the mocks of a test file count along with its result.
import { afterAll } from 'vitest'
import { collectorKey, count, type Collector, type CoverageCounts } from '../core/coverage-counts.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What the mocks of a test file counted. */
    workspaceApiCoverage?: CoverageCounts
  }
}

const counts: CoverageCounts = {}
;(globalThis as { [collectorKey]?: Collector })[collectorKey] = (outcome) => count(counts, outcome)

// vitest reads from the pattern that the hook needs no fixtures.
afterAll(({}, file) => {
  file.meta.workspaceApiCoverage = counts
})
