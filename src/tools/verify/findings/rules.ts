// Rules for every response of any operation, for what no comparison with the mock shows.
import type { Operation } from '../../../contract/index.ts'
import { operationIds } from '../../../contract/scopes.ts'
import type { Reply } from '../engine/reply.ts'
import { origin } from '../engine/transport.ts'
import { findBreachesIn } from './clauses.ts'
import type { Breach, SourceText } from './difference.ts'

export const rules = {
  readable: ['responds with something that can be read', 'contract, Endpoints'],
  cors: ['browsers can read the response', 'contract, What the service does, 2'],
  'content-type': ['the content type says what the body is', 'contract, opening paragraph'],
  values: ['a success holds the values that the contract asks for', 'contract, Resources and their fields'],
} as const satisfies Record<string, readonly [says: string, source: SourceText]>
export type RuleId = keyof typeof rules

export const ruleNames = (['general', ...operationIds] as const).flatMap((operation) =>
  Object.keys(rules).map((rule) => ({ operation, rule })),
)

const isJson = (type: string | null) => /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type ?? '')

const expectHeader = (isKept: boolean, path: string, expected: string, got: string | null): Breach[] =>
  isKept ? [] : [{ path, kind: 'header', expected, got }]

/**
 * Judges a response by the rules that apply to it.
 * @param spec undefined where a request called no operation
 * @param fits whether it is a success whose body fits its schema
 */
export function judgeReply({ headers, isSuccess, json }: Reply, spec: Operation | undefined, fits: boolean) {
  const [type, allowed] = [headers.get('content-type'), headers.get('access-control-allow-origin')]
  const binary = isSuccess && spec && 'binary' in spec.success ? spec.success.binary : undefined
  const isKept = binary === undefined ? isJson(type) : type?.startsWith(binary) === true
  const broken: Partial<Record<RuleId, readonly Breach[]>> = {
    ...(spec && {
      cors: expectHeader(
        allowed === '*' || allowed === origin,
        'access-control-allow-origin',
        'the origin, or *',
        allowed,
      ),
    }),
    'content-type': expectHeader(isKept, 'content-type', binary ?? 'application/json', type),
    ...(fits && spec && { values: findBreachesIn(spec.id, json) }),
  }
  return broken
}
