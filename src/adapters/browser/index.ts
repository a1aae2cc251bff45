// Entry `workspace-api-mock/browser`: the mock behind a service worker, and its console in the page.
export { startWorker, type RunningWorker, type StartWorkerOptions } from './worker.ts'
export { clearPersisted } from './persistence.ts'
export { mountConsole, type MountedConsole } from './mount-console.ts'
