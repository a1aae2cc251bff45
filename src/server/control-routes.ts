// Owns the list of the control API's routes.
import { faultRoutes } from './control/faults.ts'
import { inspectRoutes } from './control/inspect.ts'
import { observedRoutes } from './control/observed.ts'
import { openApiRoutes } from './control/openapi.ts'
import { productRoutes } from './control/product.ts'
import type { ControlRoute } from './control/route.ts'
import { answerRoutes, snapshotRoutes, stateRoutes } from './control/state.ts'
import { clockRoutes, worldRoutes } from './control/sandbox.ts'

export const controlRoutes: readonly ControlRoute[] = [
  ...worldRoutes,
  ...clockRoutes,
  ...faultRoutes,
  ...observedRoutes,
  ...answerRoutes,
  ...stateRoutes,
  ...snapshotRoutes,
  ...productRoutes,
  ...inspectRoutes,
  ...openApiRoutes,
]
