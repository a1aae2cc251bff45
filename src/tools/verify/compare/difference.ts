// What a run finds: where a deployment differs from what is expected of it, and the check that this breaks.
import type { OperationId } from '../../../contract/index.ts'
import { isWrite } from '../../../contract/scopes.ts'
import type { QuestionId } from '../../../contract/questions/register.ts'
import type { SentExchange } from '../../deployment/exchange.ts'

/** Where a rule comes from: a part of the contract, or the answer assumed to an open question. */
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

/** A check by its name: a scenario or rule on one operation. */
export interface NamedCheck {
  readonly operation: Subject
  readonly rule: string
}

export const toCheckName = ({ operation, rule }: NamedCheck) => `${operation}/${rule}`

export interface Check extends NamedCheck {
  /** What holds in a deployment that keeps the rule, in words. */
  readonly says: string
  readonly source: Source
}

/**
 * `extra`: a field of the contract in a place where it does not belong; `number`: an autonumber of another row; `rule`: the
 * expected and the received are sentences.
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

/** An answer to an open question, other than that of the run. */
export interface OtherAnswer {
  readonly question: QuestionId
  readonly answer: unknown
}

/** What a difference is about: the check that is tried, the requests so far, the last of which got the response. */
export interface About extends Check {
  /** The operation that the scenario is about. */
  readonly main?: OperationId | undefined
  /** The last write before a read. */
  readonly after?: OperationId | undefined
  /** What was sent up to the response, which is the last. */
  readonly sent: readonly SentExchange[]
}

/** Where a response differs from that of the mock, or from a rule. */
export interface Difference extends About {
  /** In the body, such as `rows[].data.col_name`; `status`; or the name of a header. */
  readonly path: string
  readonly kind: DifferenceKind
  readonly expected: unknown
  readonly got: unknown
  /** Ids of records of the workspace, not of the run, that differ, or that one side alone has; undefined where it is in no record. */
  readonly records?: readonly string[]
  /** The answer under which there would be no difference. */
  readonly explained?: OtherAnswer | undefined
  /** How often it showed, if not each time, such as `2 of 6`. */
  readonly seen?: string | undefined
}

/** What breaks a rule, with the source of the clause where it has one of its own. */
export type Breach = Pick<Difference, 'path' | 'kind' | 'expected' | 'got'> & { readonly source?: SourceText }

/** Recognizes a difference elsewhere, whatever record shows it. */
export const placeOf = ({ operation, path, kind }: Difference) =>
  `${operation} ${path.replaceAll(/[a-z_]+_\d{6}/g, '*')} ${kind}`

/** Whether others who write to the workspace can have caused a difference: they leave values of the run's records alone. */
export const isByOthers = ({ operation, kind, expected, got, records }: Difference) =>
  operation !== 'general' &&
  !isWrite(operation) &&
  (['status', 'records', 'order', 'length'].includes(kind) ||
    (records?.length !== 0 && (kind === 'value' || expected === null || got === null)))

/** Recognizes a difference in another round: when others could have caused it, by the records that show it. */
export const signatureOf = (difference: Difference): string =>
  [placeOf(difference), ...(isByOthers(difference) ? (difference.records ?? []) : [])].join(' ')

/** One difference of each signature, the first. */
export const distinct = (all: readonly Difference[]): Difference[] =>
  [...new Map(all.toReversed().map((one) => [signatureOf(one), one])).values()].reverse()

/** The last name of a path: `size` for `rows[].data.size[]`. */
export const lastName = (path: string) => /([^.]*?)(?:\[\])*$/.exec(path)?.[1] ?? ''
