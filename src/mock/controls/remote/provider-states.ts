// The provider states of Pact's verifier: each calls a control.
import { JsonObject } from '../../../contract/schema/maps.ts'
import * as z from 'zod/mini'
import { describeNearestName } from '../../../contract/text/nearest.ts'
import { quote } from '../../../contract/text/quote.ts'
import { ControlError } from '../../control-error.ts'
import { parseOrThrow } from '../../parse-or-throw.ts'
import type { MockControls } from '../mock-controls.ts'
import type { OwnControls } from './own.ts'

/** What Pact's verifier sends; other fields are ignored. */
const ProviderState = z.object({
  /** The name of a state, or the name and one value: `plan free`, `snapshot checkout`. */
  state: z.string(),
  params: z.optional(z.nullable(JsonObject)),
  /** Default: `setup`. */
  action: z.optional(z.enum(['setup', 'teardown'])),
  /** Not used. */
  consumer: z.optional(z.unknown()),
})
type ProviderState = z.infer<typeof ProviderState>

export interface ProviderStates {
  /**
   * A state for Pact's verifier: `reset`, `snapshot NAME`, `plan PLAN`, `billing lapsed`, or `limits`, `clock`, `fault`,
   * `answers`, `seed` with their fields in `params`; `action: "teardown"` removes faults.
   */
  enterState(state: ProviderState): void
}

type Params = Readonly<Record<string, unknown>>

interface State {
  /** The parameter that can follow the name of the state. */
  readonly short?: string
  setUp(own: OwnControls, params: Params, controls: MockControls): unknown
  tearDown?(controls: MockControls): void
}

/** The controls check their arguments. */
const states: Readonly<Record<string, State>> = {
  reset: { setUp: (own) => own.reset() },
  snapshot: {
    short: 'name',
    setUp: (own, { name }) => own.restoreSnapshot(parseOrThrow(z.string(), name, 'name')),
  },
  plan: { short: 'plan', setUp: (own, params) => own.changeWorkspace(params) },
  billing: { short: 'billing', setUp: (own, params) => own.changeWorkspace(params) },
  limits: { setUp: (own, params) => own.changeWorkspace({ limits: params }) },
  clock: {
    setUp: ({ clock }, params) =>
      'by' in params || 'ms' in params ? clock.advance(params) : clock.change(params),
  },
  fault: { setUp: (own, params) => own.fault(params), tearDown: (controls) => controls.resetFaults() },
  answers: { setUp: (_, params, controls) => controls.setAnswers(params) },
  seed: { setUp: (_, params, controls) => controls.seed(params) },
}

export function enterState(own: OwnControls, controls: MockControls, asked: ProviderState): void {
  const { state: text, params, action } = parseOrThrow(ProviderState, asked, 'body')
  const [, name = '', value] = /^(\S*)\s*(.*?)\s*$/s.exec(text) ?? []
  // The interaction has no state.
  if (text === '') return
  const state = Object.hasOwn(states, name) ? states[name] : undefined
  const names = Object.keys(states)
  if (!state)
    throw new ControlError(
      `state must be one of ${names.join(', ')}; received ${quote(text)}${describeNearestName(name, names)}`,
    )
  if (action === 'teardown') return state.tearDown?.(controls)
  if (value !== undefined && value !== '' && state.short === undefined)
    throw new ControlError(`state ${name} takes its values in params; received ${quote(text)}`)
  const short = state.short !== undefined && value !== '' ? { [state.short]: value } : {}
  state.setUp(own, { ...short, ...params }, controls)
}
