// Errors of the control surface: wrong arguments and missing records.
import { nearestRecord, type NamedRecord } from '../contract/values/nearest.ts'

/** A call of the control surface that asks for something impossible; nothing changed. Over HTTP: 400. */
export class ControlError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ControlError'
  }
}

/** A call of the control surface that names something that does not exist. Over HTTP: 404. */
export class NotFoundError extends ControlError {
  constructor(message: string) {
    super(message)
    this.name = 'NotFoundError'
  }
}

/**
 * @param known what there is, to name the nearest
 * @throws {NotFoundError} naming what is not there
 */
export function assertExists<T>(
  value: T | undefined,
  what: string,
  id: string,
  known: () => readonly NamedRecord[] = () => [],
): T {
  if (value !== undefined) return value
  throw new NotFoundError(`${what} ${JSON.stringify(id)} does not exist${nearestRecord(id, known())}`)
}
