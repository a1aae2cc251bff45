// Entry `workspace-api-mock/msw`: a mock's handlers as instances of MSW's own class.
export { requestHandlers } from './adapters/msw/request-handlers.ts'
