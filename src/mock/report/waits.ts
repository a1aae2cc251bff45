// Measures how long a client waited between two requests, as far as the clock shows.
import type { RuleId } from '../../contract/client-rules.ts'
import type { BegunExchange } from '../requests/exchange.ts'
import type { Moment } from '../../service/store/clock.ts'
import type { Findings } from './findings.ts'

/** Whether the requests were sent under a manual clock that neither the test nor the client moved in between. */
const isUnmoved = (from: Moment, to: Moment) => to.mode === 'manual' && from.moves === to.moves

/**
 * Milliseconds between two requests. Undefined if the clock does not tell how long the client waited, because it did
 * not move, was set back, or changed its mode.
 */
export function measureWaitMs(from: Moment, to: Moment): number | undefined {
  const ms = to.ms - from.ms
  return from.mode !== to.mode || ms < 0 || isUnmoved(from, to) ? undefined : ms
}

/** Measured with Date, timers fire slightly early, so on a system clock a wait may be this much too short. */
const slackMs = 5

/** How long the client waited, if that is known to be too short. */
export function findShortWaitMs(from: Moment, to: Moment, neededMs: number): number | undefined {
  const ms = measureWaitMs(from, to)
  const slack = to.mode === 'system' ? slackMs : 0
  return ms !== undefined && ms < neededMs - slack ? ms : undefined
}

/** Rule time-not-judged: `rule` requires a wait before the request, but the clock did not move. */
export function addNotJudged(
  findings: Findings,
  rule: RuleId,
  exchange: BegunExchange,
  former: { readonly id: number; readonly moment: Moment },
): void {
  if (former.moment.mode !== exchange.moment.mode || !isUnmoved(former.moment, exchange.moment)) return
  const again = `${String(exchange.operation)} was sent again under a manual clock that was not advanced in between`
  findings.addBreach(exchange, {
    rule: 'time-not-judged',
    signs: [rule, ''],
    describe: () => ({ item: rule, before: `${again}; not judged:`, beforeMany: `${again}; not judged:` }),
    context: [former.id],
  })
}
