// Owns the routes of the control API for the store as a whole: health, reset, clock, sandboxes.
import * as z from 'zod/mini'
import { NotFoundError, ControlError } from '../../core/control-error.ts'
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
  route('GET', '/health', '`status`, `fixture` and `clock`', ({ mock, store }) => ({
    status: 'ok',
    fixture: mock.fixtureName,
    clock: clockOf(store),
  })),
  route(
    'POST',
    '/reset',
    'back to the start, of the named sandbox alone where the request names one',
    ({ mock, store }) => {
      store.reset()
      return { success: true, fixture: mock.fixtureName, clock: clockOf(store) }
    },
  ),
  route('GET', '/sandboxes', 'the names of the stores made by `X-Mock-Sandbox`', ({ mock }) => ({
    sandboxes: mock.sandboxes(),
  })),
  route('DELETE', '/sandboxes/{name}', 'forgets one', ({ mock, params: { name = '' } }) => {
    if (!mock.deleteSandbox(name)) throw new NotFoundError(`sandbox ${JSON.stringify(name)} does not exist`)
    return { success: true }
  }),
]

export const clockRoutes = [
  route('GET', '/clock', '`now` in Unix seconds and `mode`', ({ store }) => clockOf(store)),
  routeWithFields(
    'PUT',
    '/clock',
    'sets it, backwards too; `mode` is `system` or `manual`',
    { now: z.optional(Seconds), mode: z.optional(z.enum(['manual', 'system'])) },
    ({ store }, { now, mode }) => {
      if (mode !== undefined) store.clock.mode = mode
      if (now !== undefined) store.clock.set(now)
      return clockOf(store)
    },
  ),
  routeWithFields(
    'POST',
    '/clock/advance',
    'moves it on: milliseconds, or a length such as `30d`',
    { ms: z.optional(z.number().check(z.gte(0))), by: z.optional(z.union([z.string(), z.number()])) },
    ({ store }, { ms, by }) => {
      if ((ms === undefined) === (by === undefined))
        throw new ControlError(
          'body must have either ms, a number of milliseconds, or by, a length such as "30d"',
        )
      advance(store, ms ?? by ?? 0)
      return clockOf(store)
    },
  ),
]
