// Owns the list of benchmarks, in the order of the table.
import type { Bench } from './figure.ts'
import { direct, msw } from './in-process.ts'

export const benches: readonly Bench[] = [msw, direct]
