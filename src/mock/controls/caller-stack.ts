// Makes the stacks of errors about arguments begin where the user called this package.
import { ApiError } from '../../contract/errors.ts'
import { AnswerError } from '../../contract/questions/register.ts'
import { ControlError } from '../control-error.ts'
import { depthRule, isTooDeep } from '../requests/json.ts'
import { FixtureError } from '../../service/fixture/error.ts'

/** A function, because in the build this module can run before the modules it imports. */
const errorsForCallers = () => [ControlError, FixtureError, AnswerError, ApiError, RangeError, TypeError]

/** The file named in the topmost frame. */
const fileOf = (stack: string) => /^ +at (?:.*\()?(.+?):\d+:\d+\)?$/m.exec(stack)?.[1]

/** Returns the frames above `entry`; undefined in engines without `captureStackTrace`. */
function captureCaller(entry: (...args: never[]) => unknown): string | undefined {
  const caller: { stack?: string } = {}
  if ('captureStackTrace' in Error) Error.captureStackTrace(caller, entry)
  return caller.stack?.replace(/^.*\n/, '')
}

/** Replaces the stack of an error meant for the caller, unless the caller's own function threw it. */
function moveToCaller(error: unknown, caller: string | undefined): void {
  const isForCaller = errorsForCallers().some((kind) => error instanceof kind)
  if (caller === undefined || !isForCaller || !(error instanceof Error)) return
  if (fileOf(error.stack ?? '') !== fileOf(caller)) error.stack = `${error.name}: ${error.message}\n${caller}`
}

/** Explains a stack overflow: an argument nests too deeply to be traversed. */
const explainOverflow = (error: unknown, args: readonly unknown[]): unknown =>
  error instanceof RangeError && args.some(isTooDeep) ? new ControlError(`arguments ${depthRule}`) : error

/**
 * Calls a function. If it throws an error meant for the caller, the stack begins at the caller, outside this package.
 * @param entry the function that was called from outside
 * @param args its arguments
 */
export function withCallerStack<T>(
  run: () => T,
  entry: (...args: never[]) => unknown,
  args: readonly unknown[],
): T {
  try {
    return run()
  } catch (thrown) {
    const error = explainOverflow(thrown, args)
    moveToCaller(error, captureCaller(entry))
    throw error
  }
}

/** Returns the same promise, except that the stack of an error meant for the caller begins where the function was called. */
function rejectForCaller(
  promise: Promise<unknown>,
  entry: (...args: never[]) => unknown,
  args: readonly unknown[],
): Promise<unknown> {
  const caller = captureCaller(entry)
  return promise.catch((thrown: unknown) => {
    const error = explainOverflow(thrown, args)
    moveToCaller(error, caller)
    throw error
  })
}

/** Wraps functions that users call. */
export type Wrapper = <T extends object>(functions: T) => T

/** Wraps functions so that the stacks of their errors begin at their callers. */
export const withCallerStacks: Wrapper = <T extends object>(functions: T) => {
  const wrapped: Record<string, unknown> = {}
  for (const [name, call] of Object.entries(functions as Record<string, (...args: unknown[]) => unknown>)) {
    const entry = (...args: unknown[]): unknown => {
      const result = withCallerStack(() => call(...args), entry, args)
      return result instanceof Promise ? rejectForCaller(result, entry, args) : result
    }
    wrapped[name] = entry
  }
  return wrapped as T
}
