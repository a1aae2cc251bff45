// A difference between a deployment and what is expected of it, and the check that fails because of it.
import { operations, type OperationId } from '../../../contract/index.ts'
import { isWrite } from '../../../contract/scopes.ts'
import type { QuestionId } from '../../../contract/questions/register.ts'
import type { SentExchange } from '../../deployment/exchange.ts'

/** The source of a rule: a section of the contract, or the assumed answer to an open question. */
export type Source = { readonly contract: string } | { readonly assumption: QuestionId }

export type SourceText = `contract, ${string}` | `assumption ${QuestionId}`

export const toSource = (text: SourceText): Source =>
  text.startsWith('contract, ')
    ? { contract: text.slice('contract, '.length) }
    : { assumption: text.slice('assumption '.length) as QuestionId }

export const formatSource = (source: Source): SourceText =>
  'contract' in source ? `contract, ${source.contract}` : `assumption ${source.assumption}`

/** What a rule is about: an operation, or `general` for all of them. */
export type Subject = OperationId | 'general'

/** Final path segments that do not name a resource. */
const actions: Readonly<Record<string, string>> = { bulk: 'rows', query: 'rows', insert: 'jobs' }
/** The resource of an operation, from its path: `tasks` for `getTask` and `listTasks`. */
export function resourceOf(operation: Subject): string {
  if (operation === 'general') return operation
  const last = operations[operation].path.split('/').findLast((part) => /^\w/.test(part)) ?? ''
  return actions[last] ?? last
}

/** A check by name: a scenario or rule applied to one operation. */
export interface NamedCheck {
  readonly operation: Subject
  readonly rule: string
}

export const toCheckName = ({ operation, rule }: NamedCheck) => `${operation}/${rule}`

export interface Check extends NamedCheck {
  /** The rule as a sentence, true of a deployment that keeps it. */
  readonly says: string
  readonly source: Source
}

/**
 * `extra`: a field of the contract where it does not belong; `number`: an autonumber of another row; `rule`: the
 * expected and received values are sentences.
 */
export type DifferenceKind =
  | 'status'
  | 'header'
  | 'type'
  | 'missing'
  | 'extra'
  | 'value'
  | 'id'
  | 'number'
  | 'length'
  | 'records'
  | 'order'
  | 'rule'

/** An answer to an open question that differs from the run's. */
export interface OtherAnswer {
  readonly question: QuestionId
  readonly answer: unknown
}

/** The context of a difference: the check and the requests sent so far. */
export interface About extends Check {
  /** The operation that the scenario is about. */
  readonly main?: OperationId | undefined
  /** The last write before a read. */
  readonly after?: OperationId | undefined
  /** Requests sent so far; the last one got the response. */
  readonly sent: readonly SentExchange[]
}

/** A response that differs from the mock's or breaks a rule. */
export interface Difference extends About {
  /** A path in the body, such as `rows[].data.col_name`; `status`; or a header name. */
  readonly path: string
  readonly kind: DifferenceKind
  readonly expected: unknown
  readonly got: unknown
  /**
   * Ids of workspace records, not made by the run, that differ or exist on one side only; undefined outside records.
   */
  readonly records?: readonly string[]
  /** The answer under which there would be no difference. */
  readonly explained?: OtherAnswer | undefined
  /** How often it occurred, such as `2 of 6`; undefined if it always did. */
  readonly seen?: string | undefined
}

/** A broken rule, with a source if the broken clause has its own. */
export type Breach = Pick<Difference, 'path' | 'kind' | 'expected' | 'got'> & { readonly source?: SourceText }

/** Identifies a difference across records. */
export const placeOf = ({ operation, path, kind }: Difference) =>
  `${operation} ${path.replaceAll(/[a-z_]+_\d{6}/g, '*')} ${kind}`

/** Whether another user's write may have caused the difference; nobody else writes values in the run's records. */
export const isByOthers = ({ operation, kind, expected, got, records }: Difference) =>
  operation !== 'general' &&
  !isWrite(operation) &&
  (['status', 'records', 'order', 'length'].includes(kind) ||
    (records?.length !== 0 && (kind === 'value' || expected === null || got === null)))

/** Identifies a difference across rounds, including the records that show it if another user could have caused it. */
export const signatureOf = (difference: Difference): string =>
  [placeOf(difference), ...(isByOthers(difference) ? (difference.records ?? []) : [])].join(' ')

/** Keeps the first difference of each signature. */
export const distinct = (all: readonly Difference[]): Difference[] =>
  [...new Map(all.toReversed().map((one) => [signatureOf(one), one])).values()].reverse()

/** The last name of a path: `size` for `rows[].data.size[]`. */
export const lastName = (path: string) => /([^.]*?)(?:\[\])*$/.exec(path)?.[1] ?? ''
