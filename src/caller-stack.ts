// Stacks that begin where a user called this package, for errors about what the user passed.
import { ApiError } from './contract/errors.ts'
import { AnswerError } from './contract/questions/register.ts'
import { FixtureError } from './fixture/error.ts'
import { ControlError } from './core/control-error.ts'

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

/** Lets the errors of an object's functions, and of the objects in it, begin at their callers. */
export function useCallerStacks<T extends object>(controls: T): T {
  for (const [name, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(controls))) {
    if (typeof value === 'function' && writable === true) {
      const call = value as (...args: unknown[]) => unknown
      const entry = (...args: unknown[]): unknown => withCallerStack(() => call(...args), entry)
      Object.defineProperty(controls, name, { value: entry })
    } else if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) useCallerStacks(value)
  }
  return controls
}
