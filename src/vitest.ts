// Entry `workspace-api-mock/vitest`: a `test` that gives every run its own mock, concurrent ones included.
export { it, test, type MockFixtures } from './adapters/vitest/test.ts'
export type {
  ApiCall,
  CallOptions,
  CallResponse,
  OperationCall,
  OperationCallArguments,
  RequestLine,
} from './adapters/vitest/api-call.ts'
export type {
  FindingsExpectation,
  ReportExpectation,
  RequestExpectation,
} from './adapters/vitest/matchers.ts'
export type { RuleId } from './contract/client-rules.ts'
export type { OperationTypes } from './contract/types.d.ts'
