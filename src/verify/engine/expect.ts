// What a check cannot do without: where it is missing, the check is inconclusive.
import { Unreachable, type InconclusiveReason } from './drift.ts'

/** The value. @throws {Unreachable} if it is undefined */
export function requireValue<T>(value: T | undefined, why: string, reason?: InconclusiveReason): T {
  if (value === undefined) throw new Unreachable(why, reason)
  return value
}

/** The first that fits. @throws {Unreachable} if there is none */
export const requireMatch = <T>(things: readonly T[], fits: (thing: T) => boolean, why: string): T =>
  requireValue(things.find(fits), why)
