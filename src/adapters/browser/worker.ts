// Runs a mock in a page with MSW's service worker, which is ready before the first request.
import type { RequestHandler } from 'msw'
import { setupWorker, type SetupWorker } from 'msw/browser'
import type { WorkspaceMock } from '../../mock.ts'
import { assertFields } from '../../mock/parse-or-throw.ts'
import { handlersOfWorkers } from '../msw/handler.ts'
import { noticesOf } from '../../mock/notices.ts'
import { endWatching, showError, watchErrors } from './page-message.ts'
import { Persistence } from './persistence.ts'

export interface StartWorkerOptions {
  /** If true, nothing is written to the browser's console. Default false. */
  readonly quiet?: boolean
  /** What to do with unhandled requests. Default `bypass`: send them as usual. */
  readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error'
  /** Saves the state in IndexedDB, under this name if it is a string, so that it survives reloads. Default false. */
  readonly persist?: boolean | string
  /** Address of the script from `npx msw init`, by default `/mockServiceWorker.js`, and options for registering it. */
  readonly serviceWorker?: { readonly url?: string; readonly options?: RegistrationOptions }
  /** Your own handlers, which take precedence over the mock. */
  readonly handlers?: readonly RequestHandler[]
}

const startOptionNames = [
  'quiet',
  'onUnhandledRequest',
  'persist',
  'serviceWorker',
  'handlers',
] satisfies (keyof StartWorkerOptions)[]

export interface RunningWorker {
  /** MSW's worker, for `use`, `events` and the like. */
  readonly worker: SetupWorker
  /** Stops mocking; requests are sent as usual again. */
  stop(): Promise<void>
  /** Resets the mock and deletes its saved state. */
  reset(): Promise<void>
}

const controlMs = 5000

/**
 * Resolves once the worker controls the page. Earlier requests would go to the network.
 * @throws {Error} if it never does
 */
function waitForControl(): Promise<void> {
  // Without service workers, MSW patches fetch and XMLHttpRequest instead.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!container || container.controller) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const message =
      `the service worker does not control ${location.href}: its script must be served at or above the path of the page, ` +
      'and the page must not have been reloaded with Shift, which bypasses the worker'
    const timer = setTimeout(() => reject(new Error(message)), controlMs)
    const resolveInTime = () => {
      clearTimeout(timer)
      resolve()
    }
    container.addEventListener('controllerchange', resolveInTime, { once: true })
  })
}

watchErrors()

/**
 * Makes the mock respond to this page's requests. Await it before the first request.
 * @throws {Error} if the worker's script is missing or cannot control the page; the page shows the error
 */
export async function startWorker(
  mock: WorkspaceMock,
  options: StartWorkerOptions = {},
): Promise<RunningWorker> {
  try {
    const running = await startMocking(mock, options)
    endWatching()
    return running
  } catch (error) {
    showError(error)
    throw error
  }
}

const insecureText =
  'this origin is insecure, so there is no service worker: the network panel does not show requests to the mock'

/** Returns the error, or a clearer one if the script is missing; some servers then respond with the app's page. */
async function explainStart(error: unknown, url: string): Promise<unknown> {
  const response = await fetch(url).catch(() => undefined)
  const type = response?.headers.get('content-type') ?? 'no content type'
  if (!response || (response.ok && type.includes('javascript'))) return error
  const message =
    `the service worker script is missing: GET ${url} responded with ${String(response.status)} (${type}); ` +
    'create it with npx msw init public --no-save, where public is the folder that your server serves'
  return new Error(message, { cause: error })
}

async function startMocking(mock: WorkspaceMock, options: StartWorkerOptions): Promise<RunningWorker> {
  assertFields('options', options, startOptionNames)
  const { quiet = false, onUnhandledRequest = 'bypass', persist = false, handlers = [] } = options
  const { serviceWorker } = options
  const persistence = persist === false || persist === '' ? undefined : new Persistence(mock, persist)
  if (!isSecureContext) {
    noticesOf(mock).set('network', insecureText)
    if (!quiet) console.warn(`[workspace-api-mock] ${insecureText}`)
  }
  await persistence?.start()
  for (const handler of mock.handlers) handlersOfWorkers.add(handler)
  const worker = setupWorker(...handlers, ...mock.handlers)
  if (persistence) worker.events.on('response:mocked', persistence.save)
  // MSW 3 renamed this option.
  const unhandled = { onUnhandledRequest, onUnhandledFrame: onUnhandledRequest }
  // MSW 2 stops synchronously; MSW 3 returns a promise.
  const endMocking: () => unknown = worker.stop
  const stop = async () => {
    await endMocking()
    await persistence?.stop()
  }
  try {
    await worker.start({ quiet, ...unhandled, ...(serviceWorker && { serviceWorker }) })
    await waitForControl()
  } catch (error) {
    // MSW does not undo a failed start by itself. Not awaited: MSW 3 would wait for a worker that may never start.
    void Promise.resolve()
      .then(endMocking)
      .catch(() => undefined)
    await persistence?.stop()
    throw await explainStart(error, serviceWorker?.url ?? '/mockServiceWorker.js')
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
