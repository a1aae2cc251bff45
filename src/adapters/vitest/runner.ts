// The parts of vitest that the helper needs; an older vitest, which lacks them, gives an error that says so.
import * as vitest from 'vitest'

// Before 4.1, `extend` goes past the collector of a test, and no hook runs around the others.
if (!('aroundEach' in vitest && 'TestRunner' in vitest))
  throw new Error(
    'workspace-api-mock/vitest needs vitest 4.1 or newer; the installed one is older. Update it, or use setupServer(...mock.handlers) without the helper.',
  )

export const { aroundEach, TestRunner } = vitest
