// Stacks that begin where a user called this package, for errors about the arguments.
import { ApiError } from '../../contract/errors.ts'
import { AnswerError } from '../../contract/questions/register.ts'
import { ControlError } from '../control-error.ts'
import { FixtureError } from '../../service/fixture/error.ts'

/** A function, since in the build this module can run ahead of those. */
const errorsForCallers = () => [ControlError, FixtureError, AnswerError, ApiError, RangeError]

/**
 * Calls a function; the stack of an error for its caller begins there, outside this package.
 * @param entry the function that was called from outside
 */
export function withCallerStack<T>(run: () => T, entry: (...args: never[]) => unknown): T {
  try {
    return run()
  } catch (error) {
    // Engines other than V8 do not have it in the versions that are supported.
    if (errorsForCallers().some((kind) => error instanceof kind) && 'captureStackTrace' in Error)
      Error.captureStackTrace(error as Error, entry)
    throw error
  }
}

/** The same promise; the stack of an error for the caller begins where the function was called. */
function rejectForCaller(promise: Promise<unknown>, entry: (...args: never[]) => unknown): Promise<unknown> {
  if (!('captureStackTrace' in Error)) return promise
  const called: { stack?: string } = {}
  Error.captureStackTrace(called, entry)
  return promise.catch((error: unknown) => {
    if (error instanceof Error && errorsForCallers().some((kind) => error instanceof kind))
      error.stack = `${error.name}: ${error.message}\n${(called.stack ?? '').split('\n').slice(1).join('\n')}`
    throw error
  })
}

/** Returns functions for users to call in place of the given ones. */
export type Wrapper = <T extends object>(functions: T) => T

/** The same functions; the stacks of their errors begin at their callers. */
export const withCallerStacks: Wrapper = <T extends object>(functions: T) => {
  const wrapped: Record<string, unknown> = {}
  for (const [name, call] of Object.entries(functions as Record<string, (...args: unknown[]) => unknown>)) {
    const entry = (...args: unknown[]): unknown => {
      const result = withCallerStack(() => call(...args), entry)
      return result instanceof Promise ? rejectForCaller(result, entry) : result
    }
    wrapped[name] = entry
  }
  return wrapped as T
}
