// Entry `workspace-api-mock/node`: the standalone server.
export { serve, type RunningServer, type ServeOptions } from './serve.ts'
export type { LoggedRequest } from './respond.ts'
