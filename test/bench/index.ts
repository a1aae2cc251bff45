// The list of benchmarks, in the order of the table.
import { consoleOpening } from './console.ts'
import { dispatch } from './dispatch.ts'
import { explore } from './explore.ts'
import type { Bench } from './measuring/figure.ts'
import { growth } from './growth.ts'
import { direct, msw } from './in-process.ts'
import { peers } from './peers.ts'
import { coldStarts, imports, memory } from './processes.ts'
import { firstListing, recordListings, spaceCreation } from './records.ts'
import { report } from './report.ts'
import { jobs, listings, resets, upserts } from './row-work.ts'
import { scale } from './scale.ts'
import { sizes } from './size.ts'
import { soak } from './soak.ts'
import { creates, reads } from './standalone.ts'

export const benches: readonly Bench[] = [
  msw,
  direct,
  dispatch,
  reads,
  listings,
  recordListings,
  firstListing,
  spaceCreation,
  creates,
  jobs,
  upserts,
  explore,
  report,
  resets,
  imports,
  coldStarts,
  memory,
  consoleOpening,
  scale,
  sizes,
  growth,
  soak,
  peers,
]
