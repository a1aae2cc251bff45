// Describes a fault in words.
import type { FaultSpec } from '../../../../core/fault-spec.ts'
import { durationText } from '../../format.ts'

function subject({ operation, times = 1 }: FaultSpec): string {
  const of = operation === undefined ? '' : ` of ${operation}`
  if (times === null) return `Every request${of}`
  return times === 1 ? `The next request${of}` : `Each of the next ${String(times)} requests${of}`
}

function outcome({ status = 500, network = false, resource, retryAfter = 1 }: FaultSpec): string {
  if (network) return 'fails with a broken connection'
  if (status < 300) return 'gets its usual response'
  const limit = resource === undefined ? '' : ` over ${resource}`
  return `gets ${String(status)}${limit}${status === 429 ? `, to be retried after ${String(retryAfter)} s` : ''}`
}

/** One sentence. */
export function faultText(fault: FaultSpec): string {
  const { phase = 'before', delayMs = 0, status = 500, network } = fault
  const wait = delayMs > 0 ? ` after ${durationText(delayMs)}` : ''
  const isFailure = network === true || status >= 300
  const effect = !isFailure
    ? ''
    : phase === 'before'
      ? '; nothing changes'
      : '; it is carried out nevertheless'
  return `${subject(fault)} ${outcome(fault)}${wait}${effect}.`
}
