// How a run ends early: a stop with a reason for part of it, an interruption for all of it.
/** Why a check is inconclusive; it decides which remedy is printed. */
export type InconclusiveReason =
  | 'absent'
  | 'drift'
  | 'failure'
  | 'interrupted'
  | 'limit'
  | 'permission'
  | 'plan'
  | 'status'
  | 'unstable'
  | 'writing'

/**
 * `parted`: the sides disagreed on a write, so later comparisons would be meaningless. `repeated`: a write
 * sent again may have been carried out twice. `unreadable`: no response could be read.
 */
type StopReason = InconclusiveReason | 'parted' | 'repeated' | 'unreadable'

/** Ends a scenario or probe; the caller acts on the reason. */
export class Stop extends Error {
  override readonly name = 'Stop'
  readonly reason: StopReason

  constructor(message: string, reason: StopReason = 'absent', options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** The run was interrupted by its signal, or because the deployment no longer responds. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor(message = 'the run was interrupted', options?: ErrorOptions) {
    super(message, options)
  }
}

/** Says why something failed. Any error other than a stop or an interruption is a bug in verify. */
export const explainFailure = (error: unknown): string =>
  error instanceof Stop || error instanceof Interrupted
    ? error.message
    : `verify itself failed: ${String(error)}`

/** @throws {Stop} if the value is undefined */
export function requireValue<T>(value: T | undefined, why: string, reason?: InconclusiveReason): T {
  if (value === undefined) throw new Stop(why, reason)
  return value
}

/** Finds the first match. @throws {Stop} if nothing matches */
export const requireMatch = <T>(things: readonly T[], fits: (thing: T) => boolean, why: string): T =>
  requireValue(things.find(fits), why)
