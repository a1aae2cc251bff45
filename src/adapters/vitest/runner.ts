// The parts of vitest that the helper needs. Throws if the installed vitest is too old to have them.
import * as vitest from 'vitest'

// Before 4.1, `extend` bypasses a custom collector, and there is no hook around the other hooks.
if (!('aroundEach' in vitest && 'TestRunner' in vitest))
  throw new Error(
    'workspace-api-mock/vitest needs vitest 4.1 or newer; the installed one is older. Update it, or use setupServer(...mock.handlers) without the helper.',
  )

export const { aroundEach, TestRunner } = vitest
