// Owns going on with what may still have to be waited for: most requests wait for nothing, and every promise can be measured.

/** Goes on at once with a value that is there, later with one that is promised. Rejections pass it by. */
export function whenSettled<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}
