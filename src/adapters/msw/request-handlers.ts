// A mock's handlers as instances of MSW's own class.
import { RequestHandler } from 'msw'

class MockRequestHandler extends RequestHandler {
  readonly #inner: RequestHandler

  constructor(inner: RequestHandler) {
    super({ info: inner.info, resolver: () => undefined })
    this.#inner = inner
  }

  override async run(given: Parameters<RequestHandler['run']>[0]): ReturnType<RequestHandler['run']> {
    const result = await this.#inner.run(given)
    if (!result) return null
    this.isUsed = true
    return { ...result, handler: this }
  }

  override predicate(given: Parameters<RequestHandler['predicate']>[0]): boolean | Promise<boolean> {
    return this.#inner.predicate(given)
  }

  override log(given: Parameters<RequestHandler['log']>[0]): void {
    this.#inner.log(given)
  }
}

/**
 * Converts `mock.handlers` to instances of MSW's `RequestHandler`, for tools that test with `instanceof`, such as
 * `@msw/playwright`. Unlike `mock.handlers`, it imports msw.
 */
export const requestHandlers = ({
  handlers,
}: {
  readonly handlers: readonly RequestHandler[]
}): RequestHandler[] => handlers.map((handler) => new MockRequestHandler(handler))
