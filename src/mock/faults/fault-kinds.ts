// Finds the kind of error for a fault's status. Plain data, because the console of a remote mock also loads it.
import { errorKinds, limitOfKind, type ErrorKind, type LimitName } from '../../contract/errors.ts'

/** All kinds of errors, reversed: as in an operation's own list, the last kind of a status takes precedence. */
export const anyKinds: readonly ErrorKind[] = (Object.keys(errorKinds) as ErrorKind[]).reverse()

export const kindsOfStatus = (kinds: readonly ErrorKind[], status: number) =>
  kinds.filter((kind) => errorKinds[kind].status === status)

/** The kind of error for a fault's status. An operation's own kind takes precedence over a general one. */
export function faultKindOf(kinds: readonly ErrorKind[], status: number, resource: LimitName | undefined) {
  const found = kindsOfStatus(kinds, status)
  if (resource !== undefined) return found.find((kind) => limitOfKind(kind) === resource)
  return status === 403 ? found.find((kind) => kind === 'scope') : found.at(-1)
}
