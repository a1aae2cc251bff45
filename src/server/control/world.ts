// Owns the routes of the control API for the world as a whole: health, reset, clock, sandboxes.
import * as z from 'zod/mini'
import { AbsentError, ControlError } from '../../core/control-error.ts'
import type { MockControls } from '../../controls/mock-controls.ts'
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
  route('GET', '/health', '`status`, `fixture` and `clock`', ({ mock, world }) => ({
    status: 'ok',
    fixture: mock.fixtureName,
    clock: clockOf(world),
  })),
  route(
    'POST',
    '/reset',
    'back to the start, of the named sandbox alone where the request names one',
    ({ mock, world }) => {
      world.reset()
      return { success: true, fixture: mock.fixtureName, clock: clockOf(world) }
    },
  ),
  route('GET', '/sandboxes', 'the names of the worlds made by `X-Mock-Sandbox`', ({ mock }) => ({
    sandboxes: mock.sandboxes(),
  })),
  route('DELETE', '/sandboxes/{name}', 'forgets one', ({ mock, params: { name = '' } }) => {
    if (!mock.deleteSandbox(name)) throw new AbsentError(`sandbox ${JSON.stringify(name)} does not exist`)
    return { success: true }
  }),
]

export const clockRoutes = [
  route('GET', '/clock', '`now` in Unix seconds and `mode`', ({ world }) => clockOf(world)),
  routeWithFields(
    'PUT',
    '/clock',
    'sets it, backwards too; `mode` is `system` or `manual`',
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
    'moves it on: milliseconds, or a length such as `30d`',
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
