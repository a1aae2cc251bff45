// Starts a mock in a page: MSW's service worker, ready before the first request.
import type { RequestHandler } from 'msw'
import { setupWorker, type SetupWorker } from 'msw/browser'
import type { WorkspaceMock } from '../mock.ts'
import { assertFields } from '../core/checked.ts'
import { endWatching, showError, watchErrors } from './page-message.ts'
import { Persistence } from './persistence.ts'

export interface StartWorkerOptions {
  /** Whether nothing is written to the console of the browser. Default false. */
  readonly quiet?: boolean
  /** What becomes of requests that are not the mock's. Default `bypass`: they go their way. */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error'
  /** Whether the state outlives a reload of the page, in IndexedDB; a name keeps several apart. Default false. */
  readonly persist?: boolean | string
  /** Where `npx msw init` put the worker's script, by default `/mockServiceWorker.js`, and how it is registered. */
  readonly serviceWorker?: { readonly url?: string; readonly options?: RegistrationOptions }
  /** Handlers of your own, which are asked before the mock. */
  readonly handlers?: readonly RequestHandler[]
}

const optionNames = [
  'quiet',
  'onUnhandledRequest',
  'persist',
  'serviceWorker',
  'handlers',
] satisfies (keyof StartWorkerOptions)[]

export interface RunningWorker {
  /** MSW's own, for `use`, `events` and the like. */
  readonly worker: SetupWorker
  /** Lets requests go their way again. */
  stop(): Promise<void>
  /** The mock back at its start, and what was kept of it forgotten. */
  reset(): Promise<void>
}

const controlMs = 5000

/**
 * Until the worker has taken the page over: requests before that would go to the network.
 * @throws {Error} where it never does
 */
function controlled(): Promise<void> {
  // Where there are no service workers, MSW patches fetch and XMLHttpRequest instead.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!container || container.controller) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => () => {
      clearTimeout(timer)
      container.removeEventListener('controllerchange', taken)
      end()
    }
    const taken = settle(resolve)
    const missed = settle(() =>
      reject(
        new Error(
          `the service worker does not control ${location.href}: its script must lie at or above the path of the page, ` +
            'and the page must not have been reloaded past its worker (Shift and reload)',
        ),
      ),
    )
    const timer = setTimeout(missed, controlMs)
    container.addEventListener('controllerchange', taken)
  })
}

watchErrors()

/**
 * Answers the requests of this page with the mock. Await it before the first request.
 * @throws {Error} where the worker's script is missing or cannot take the page over; the page shows it
 */
export async function startWorker(
  mock: WorkspaceMock,
  options: StartWorkerOptions = {},
): Promise<RunningWorker> {
  try {
    const running = await started(mock, options)
    endWatching()
    return running
  } catch (error) {
    showError(error)
    throw error
  }
}

async function started(mock: WorkspaceMock, options: StartWorkerOptions): Promise<RunningWorker> {
  assertFields('options', options, optionNames)
  const {
    quiet = false,
    onUnhandledRequest = 'bypass',
    persist = false,
    serviceWorker,
    handlers = [],
  } = options
  const persistence = persist === false || persist === '' ? undefined : new Persistence(mock, persist)
  await persistence?.start()
  const worker = setupWorker(...handlers, ...mock.handlers)
  if (persistence) worker.events.on('response:mocked', persistence.keep)
  // MSW 3 calls the option for what is not handled by another name.
  const unhandled = { onUnhandledRequest, onUnhandledFrame: onUnhandledRequest }
  // Version 2 of MSW ends it at once, version 3 gives a promise.
  const endMocking: () => unknown = worker.stop
  const stop = async () => {
    await endMocking()
    await persistence?.stop()
  }
  try {
    await worker.start({ quiet, ...unhandled, ...(serviceWorker && { serviceWorker }) })
    await controlled()
  } catch (error) {
    // MSW leaves behind what it had set up by then; its version 3 then waits for a worker that may never come.
    void Promise.resolve()
      .then(endMocking)
      .catch(() => undefined)
    await persistence?.stop()
    throw error
  }
  return {
    worker,
    stop,
    reset: async () => {
      mock.reset()
      await persistence?.clear()
    },
  }
}
