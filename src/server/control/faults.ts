// Owns the routes of the control API for faults.
import { AbsentError } from '../../core/control-error.ts'
import type { FaultSpec } from '../../core/faults.ts'
import { route, routeWithJson } from './route.ts'

export const faultRoutes = [
  route('GET', '/faults', 'the faults that are set, with their hits', ({ world }) => ({
    faults: world.faults(),
  })),
  routeWithJson('POST', '/faults', 'sets one', 'as `mock.fault`', ({ world }, body) => {
    const { id } = world.fault(body as FaultSpec)
    return world.faults().find((fault) => fault.id === id) ?? { id }
  }),
  route('DELETE', '/faults', 'takes all away', ({ world }) => {
    world.resetFaults()
    return { success: true }
  }),
  route('DELETE', '/faults/{id}', 'takes one away', ({ world, params: { id = '' } }) => {
    if (!world.removeFault(id)) throw new AbsentError(`fault ${JSON.stringify(id)} does not exist`)
    return { success: true }
  }),
]
