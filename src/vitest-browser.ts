// Entry `workspace-api-mock/vitest` in vitest's browser mode, where it cannot work. Throws an error that names an
// alternative.
const message =
  "workspace-api-mock/vitest runs only in Node, because it isolates tests with AsyncLocalStorage. In vitest's browser mode, use startWorker(mock) from workspace-api-mock/browser and call mock.reset() before each test."

/** @throws {Error} always */
export function test(): never {
  throw new Error(message)
}
Object.assign(test, { extend: test, override: test, for: test, each: test, only: test, skip: test })
export { test as it }
