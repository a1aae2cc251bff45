// What a page writes against the package's types, without Node's; types.test.ts checks it.
import { http, HttpResponse } from 'msw'
import { createWorkspaceMock } from 'workspace-api-mock'
import {
  clearPersisted,
  mountConsole,
  startWorker,
  type MountedConsole,
  type RunningWorker,
  type StartWorkerOptions,
} from 'workspace-api-mock/browser'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <T extends true>(value?: T) => value

const mock = createWorkspaceMock({ fixture: 'demo', clock: 'system' })
const options: StartWorkerOptions = {
  quiet: true,
  onUnhandledRequest: 'warn',
  persist: 'demo',
  serviceWorker: { url: '/sub/mockServiceWorker.js', options: { scope: '/sub/' } },
  handlers: [http.get('/own', () => HttpResponse.json({ own: true }))],
}

// @ts-expect-error no such way with requests of others
void startWorker(mock, { onUnhandledRequest: 'ignore' })
// @ts-expect-error a console needs a place
void mountConsole(null, mock)

export async function started(): Promise<RunningWorker> {
  const running = await startWorker(mock, options)
  running.worker.use(http.get('/late', () => new HttpResponse(null, { status: 204 })))
  same<Equal<ReturnType<typeof running.reset>, Promise<void>>>()
  await running.reset()
  await running.stop()
  await clearPersisted('demo')
  return running
}

export const mounted = (): Promise<MountedConsole> => mountConsole(document.body, mock)
