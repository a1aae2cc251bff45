// Owns the routes of the control API for faults.
import { NotFoundError } from '../../core/control-error.ts'
import type { FaultSpec } from '../../core/faults.ts'
import { route, routeWithJson } from './route.ts'

export const faultRoutes = [
  route('GET', '/faults', 'the faults that are set, with their hits', ({ store }) => ({
    faults: store.faults(),
  })),
  routeWithJson('POST', '/faults', 'sets one', 'as `mock.fault`', ({ store }, body) => {
    const { id } = store.fault(body as FaultSpec)
    return store.faults().find((fault) => fault.id === id) ?? { id }
  }),
  route('DELETE', '/faults', 'takes all away', ({ store }) => {
    store.resetFaults()
    return { success: true }
  }),
  route('DELETE', '/faults/{id}', 'takes one away', ({ store, params: { id = '' } }) => {
    if (!store.removeFault(id)) throw new NotFoundError(`fault ${JSON.stringify(id)} does not exist`)
    return { success: true }
  }),
]
