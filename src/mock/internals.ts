// The internals behind a mock or a sandbox's controls, for code that serves it and for consoles that read it.
import { quote } from '../contract/text/quote.ts'
import { ControlError } from './control-error.ts'
import type { MockOptions } from '../mock-options.ts'
import type { CallHandler } from './requests/call.ts'
import type { Boundaries } from './sandboxes/boundaries.ts'
import type { Sandbox } from './sandboxes/sandbox.ts'
import type { Sandboxes } from './sandboxes/sandboxes.ts'

/** What all sandboxes of a mock share. */
export interface MockParts {
  /** `custom` if the fixture has no name. */
  readonly fixtureName: string
  readonly sandboxes: Sandboxes
  readonly boundaries: Boundaries
  /** The mock's options. A `fixture` given as an object is left out, because the mock does not keep it. */
  readonly options: MockOptions
}

interface Internals extends MockParts {
  /** The sandbox that a control applies to. */
  readonly sandboxOf: () => Sandbox
  /** Set only for a mock, not for a sandbox's controls. */
  readonly handler?: CallHandler
}

/**
 * Stored as a property, so that a copy of a mock with some members replaced can still be served. All copies of this
 * package share the symbol.
 */
const internals: unique symbol = Symbol.for('workspace-api-mock/internals')

export const withInternals = <T extends object>(controls: T, given: Internals): T =>
  Object.assign(controls, { [internals]: given })

/** @param controls a mock, or the controls of one of its sandboxes */
export function internalsOf(controls: object): Internals {
  const given = (controls as { readonly [internals]?: Internals })[internals]
  if (!given)
    throw new ControlError(
      `expected a mock created by createWorkspaceMock, or the controls of a sandbox; received ${quote(controls)}`,
    )
  return given
}

/** Handles calls to a mock; throws `NetworkFault` if a fault breaks the connection. */
export function handlerOf(mock: object): CallHandler {
  const { handler } = internalsOf(mock)
  if (!handler) throw new ControlError('expected a mock; received the controls of one of its sandboxes')
  return handler
}
