// The responses allowed for any request: what the contract says about the operation, and nothing else.
import * as z from 'zod/mini'
import { errorKinds, type ErrorKind } from '../../../../src/contract/errors.ts'
import { ErrorBody } from '../../../../src/contract/schema/error-body.ts'
import { operations, type OperationId } from '../../../../src/contract/index.ts'
import { errorKindsOf } from '../../../../src/contract/operation.ts'
import type { JournalEntry } from '../../../../src/index.ts'

export interface ReceivedResponse {
  readonly status: number
  header(name: string): string | null
  readonly text: string
}

/** `errors` of a bulk request that inserted no row. Assumption: bulkErrors */
const RefusalBody = z.strictObject({ ...ErrorBody.shape, errors: z.optional(z.array(z.unknown())) })

const naturalKinds = new Map<string, ReadonlySet<ErrorKind>>()

function kindsOf(operation: OperationId): ReadonlySet<ErrorKind> {
  let kinds = naturalKinds.get(operation)
  if (!kinds) {
    const all = errorKindsOf(operations[operation])
    naturalKinds.set(operation, (kinds = new Set(all.filter((kind) => !('injected' in errorKinds[kind])))))
  }
  return kinds
}

/** What is wrong with an error response as such; undefined if nothing is. */
export function flawOfError({ status, header, text }: ReceivedResponse): string | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return `the body is no JSON: ${text.slice(0, 200)}`
  }
  const checked = RefusalBody.safeParse(body)
  if (!checked.success) return `the body is no error body: ${text.slice(0, 200)}`
  const { error, limitReached, resource, limit, current, transient } = checked.data
  if (error.trim() === '') return 'the error is empty'
  if (transient !== undefined) return 'transient outside of 503'
  const facts = [limitReached, resource, limit, current].filter((fact) => fact !== undefined)
  if (facts.length !== 0 && facts.length !== 4)
    return `some facts of a limit are missing: ${text.slice(0, 200)}`
  if (header('access-control-allow-origin') !== '*') return 'the answer has no CORS header'
  if (header('content-type') !== 'application/json') return `the content type is ${header('content-type')}`
  if (status !== 429) return undefined
  const numbers = [header('retry-after'), header('x-ratelimit-limit')]
  if (!numbers.every((number) => /^\d+$/.test(number ?? '')) || numbers[0] === '0')
    return `a 429 with Retry-After ${numbers[0]} and X-RateLimit-Limit ${numbers[1]}`
  return undefined
}

/** What is wrong with a response; undefined if nothing is. `entry` is the journal's. */
export function flawOf(response: ReceivedResponse, entry: JournalEntry): string | undefined {
  const { status } = response
  const { operation, refusal } = entry
  if (entry.status !== status) return `the journal says ${String(entry.status)}`
  if (refusal === null) {
    if (operation === null) return 'a success of no operation'
    const { success } = operations[operation]
    if (status !== success.status) return `a success is ${String(success.status)}`
    return response.header('access-control-allow-origin') === '*'
      ? undefined
      : 'the answer has no CORS header'
  }
  if (errorKinds[refusal].status !== status) return `refused as ${refusal}`
  const isDocumented = operation === null ? refusal === 'unknownOperation' : kindsOf(operation).has(refusal)
  if (!isDocumented)
    return `${refusal} is no refusal of ${operation ?? 'unknown operations'}: ${response.text.slice(0, 500)}`
  return flawOfError(response)
}
