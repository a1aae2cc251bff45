// Owns the routes of the control API for the world as a whole: health, reset, clock, sandboxes.
import * as z from 'zod/mini'
import { AbsentError, ControlError } from '../../http/control.ts'
import type { MockControls } from '../../controls.ts'
import { route, routeWithFields } from './route.ts'

/** Latest second that is still a date. */
const latestSeconds = 8_640_000_000_000

const Seconds = z.int().check(z.gte(0), z.lte(latestSeconds))

const clockOf = ({ clock }: MockControls) => ({ now: clock.now(), mode: clock.mode })

function advance({ clock }: MockControls, by: number | string): void {
  try {
    clock.advance(by)
  } catch (error) {
    throw error instanceof RangeError ? new ControlError(error.message) : error
  }
}

export const worldRoutes = [
  route('GET', '/health', ({ mock, world }) => ({
    status: 'ok',
    fixture: mock.fixtureName,
    clock: clockOf(world),
  })),
  route('POST', '/reset', ({ mock, world }) => {
    world.reset()
    return { success: true, fixture: mock.fixtureName, clock: clockOf(world) }
  }),
  route('GET', '/sandboxes', ({ mock }) => ({ sandboxes: mock.sandboxes() })),
  route('DELETE', '/sandboxes/{name}', ({ mock, params: { name = '' } }) => {
    if (!mock.deleteSandbox(name)) throw new AbsentError(`sandbox ${JSON.stringify(name)} does not exist`)
    return { success: true }
  }),
]

export const clockRoutes = [
  route('GET', '/clock', ({ world }) => clockOf(world)),
  routeWithFields(
    'PUT',
    '/clock',
    { now: z.optional(Seconds), mode: z.optional(z.enum(['manual', 'system'])) },
    ({ world }, { now, mode }) => {
      if (mode !== undefined) world.clock.mode = mode
      if (now !== undefined) world.clock.set(now)
      return clockOf(world)
    },
  ),
  routeWithFields(
    'POST',
    '/clock/advance',
    { ms: z.optional(z.number().check(z.gte(0))), by: z.optional(z.union([z.string(), z.number()])) },
    ({ world }, { ms, by }) => {
      if ((ms === undefined) === (by === undefined))
        throw new ControlError(
          'body must have either ms, a number of milliseconds, or by, a length such as "30d"',
        )
      advance(world, ms ?? by ?? 0)
      return clockOf(world)
    },
  ),
]
