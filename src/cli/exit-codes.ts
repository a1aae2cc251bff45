// Exit codes of the commands that judge something: `explore`, `verify` and `pull`.

export const exitCodes = {
  clean: 0,
  /** There are findings, or drift. */
  found: 1,
  /** The command failed, was interrupted, or its result does not count. */
  failed: 2,
} as const
