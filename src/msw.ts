// Entry `workspace-api-mock/msw`: the handlers of a mock as instances of MSW's own class.
export { requestHandlers } from './adapters/msw/request-handlers.ts'
