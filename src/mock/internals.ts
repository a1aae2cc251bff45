// What stands behind a mock, or behind the controls of a sandbox: for what serves it, and for the reads of consoles.
import { quote } from '../contract/text/quote.ts'
import { ControlError } from './control-error.ts'
import type { MockOptions } from '../mock-options.ts'
import type { CallHandler } from './requests/call.ts'
import type { Boundaries } from './sandboxes/boundaries.ts'
import type { Sandbox } from './sandboxes/sandbox.ts'
import type { Sandboxes } from './sandboxes/sandboxes.ts'

/** What all sandboxes of a mock share. */
export interface MockParts {
  /** `custom` for a fixture without a name. */
  readonly fixtureName: string
  readonly sandboxes: Sandboxes
  readonly boundaries: Boundaries
  /** The options of the mock; without `fixture` if that was an object, which the mock does not keep. */
  readonly options: MockOptions
}

interface Internals extends MockParts {
  /** The sandbox that a call of the controls is about. */
  readonly sandboxOf: () => Sandbox
  /** Of the mock itself. */
  readonly handler?: CallHandler
}

/** A property, so that copies of a mock with some members of their own can be served too; of all copies of this package. */
const internals: unique symbol = Symbol.for('workspace-api-mock/internals')

export const withInternals = <T extends object>(controls: T, given: Internals): T =>
  Object.assign(controls, { [internals]: given })

/** @param controls a mock, or the controls of one of its sandboxes */
export function internalsOf(controls: object): Internals {
  const given = (controls as { readonly [internals]?: Internals })[internals]
  if (!given)
    throw new ControlError(`expected what createWorkspaceMock returned; received ${quote(controls)}`)
  return given
}

/** What handles the calls to a mock; throws `NetworkFault` if a fault breaks the connection. */
export function handlerOf(mock: object): CallHandler {
  const { handler } = internalsOf(mock)
  if (!handler) throw new ControlError('expected a mock; received the controls of one of its sandboxes')
  return handler
}
