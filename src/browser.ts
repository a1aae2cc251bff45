// Entry `workspace-api-mock/browser`: the mock behind a service worker, and its console in the page.
export { startWorker, type RunningWorker, type StartWorkerOptions } from './adapters/browser/worker.ts'
export { clearPersisted } from './adapters/browser/persistence.ts'
export { mountConsole, type MountedConsole } from './tools/console/mount.ts'
