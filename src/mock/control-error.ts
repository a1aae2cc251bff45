// Errors thrown by controls: wrong arguments and missing records.
import { describeNearestRecord, type NamedRecord } from '../contract/text/nearest.ts'
import { quote } from '../contract/text/quote.ts'

/** Thrown when a control is asked for something impossible. Nothing has changed. Over HTTP: 400. */
export class ControlError extends Error {
  override readonly name: string = 'ControlError'
}

/** Thrown when a control names something that does not exist. Over HTTP: 404. */
export class NotFoundError extends ControlError {
  override readonly name = 'NotFoundError'
}

/** Calls a service function. @throws {ControlError} in place of its RangeErrors and TypeErrors */
export function asControl<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw error instanceof RangeError || error instanceof TypeError ? new ControlError(error.message) : error
  }
}

/** @throws {NotFoundError} naming the nearest of the `known` records */
export function assertExists<T>(
  value: T | undefined,
  what: string,
  id: string | number,
  known: () => readonly NamedRecord[] = () => [],
): T {
  if (value !== undefined) return value
  if (typeof id !== 'string' && typeof id !== 'number')
    throw new ControlError(`expected the id of a ${what}; received ${quote(id)}`)
  throw new NotFoundError(`${what} ${quote(id)} does not exist${describeNearestRecord(id, known())}`)
}
