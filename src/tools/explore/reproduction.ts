// The lines that reproduce a finding in a plain test.
import { toLiteral } from '../../contract/text/literal.ts'
import { pollMs } from '../../contract/limits.ts'
import type { Finding, JournalEntry, PlannedFault } from '../../mock/explorable.ts'
import type { RunRecord } from './runner.ts'

export const runAgain =
  '// Run the client; when it has failed, call mock.resetFaults() and run it again with the same storage.'
export const withoutTicks =
  '// Create the mock with advanceOnPoll: false; otherwise polls also move the clock.'
const inRealTime =
  "mock.clock.mode = 'system' // the client does not wait, and rules about waits need a moving clock"
const letJobsEnd = "// Run the client, then mock.clock.advance('1h') to let the job it left running end."
const sameOrder =
  '// Other requests were in flight: the fault hits the same request only if all arrive in the same order.'
const limitsOnClock = `AbortSignal.timeout = (ms) => { // on the mock's clock, as in an exploration
  const controller = new AbortController()
  void mock.clock.sleep(ms).then(() => controller.abort(new DOMException('too late', 'TimeoutError')))
  return controller.signal
}`

/** Lines a plain test needs in addition to the fault: before it and after it. */
export interface Lines {
  readonly setUp?: string
  readonly steps?: string
}

/** Lines that reproduce what a run did to the state. */
export function linesForState({ delayOn }: PlannedFault, { end, hasTimeLimit }: RunRecord): Lines {
  const isJobOpen = end.schedule.entries().some(({ kind }) => kind === 'job')
  return {
    ...(delayOn === 'clock' && hasTimeLimit && { setUp: limitsOnClock }),
    ...(isJobOpen && { steps: letJobsEnd }),
  }
}

/** Lines that reproduce a broken rule about waits. Needed only if nothing but polls moved the clock before the request. */
export function linesForWaits(journal: readonly JournalEntry[], { requests, rule }: Finding): Lines {
  const [before, last] = journal.filter(({ id }) => requests.includes(id)).slice(-2)
  const pollMsOf = rule === 'poll-interval' ? pollMs : 0
  return before && last && last.atMs - before.atMs > pollMsOf ? {} : { setUp: inRealTime }
}

export const reproductionOf = (
  fault: PlannedFault,
  isInterleaved: boolean,
  { setUp, steps }: Lines = {},
): string =>
  [isInterleaved && sameOrder, setUp, `mock.fault(${toLiteral(fault, '', Infinity)})`, steps]
    .filter((line) => line !== undefined && line !== false)
    .join('\n')
