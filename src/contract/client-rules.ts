// The rules that the report checks a client against.
import {
  bulkRowsPerJob,
  bulkRowsPerRequest,
  firstMilliseconds,
  firstSeconds,
  laterWaits,
  mostPerPage,
  pollMs,
} from './limits.ts'
import { formatCount } from './text/format.ts'

export type Severity = 'error' | 'warning' | 'info'

export interface ClientRule {
  /** `error`: breaks a documented rule. `warning`: works, but not as intended. `info`: depends on an assumption. */
  readonly severity: Severity
  /** What the client did to break the rule. */
  readonly condition: string
  readonly advice: string
  /** The part of the contract that the rule comes from. */
  readonly source: string
}

const bulkRows = String(bulkRowsPerRequest)
const { rows, tasks, submissions } = mostPerPage
const pageSizes = `${String(rows)} rows, ${String(tasks)} tasks, ${String(submissions)} submissions`

const rules = {
  'poll-interval': {
    severity: 'error',
    condition: `A job was polled again within ${String(pollMs)} ms.`,
    advice: `Wait ${String(pollMs)} ms or longer between two polls of one job.`,
    source: 'Jobs; Limits',
  },
  'poll-finished': {
    severity: 'warning',
    condition: 'A job was polled again after a response said done or failed.',
    advice: 'Stop polling at the first response that says done or failed.',
    source: 'Jobs',
  },
  'retry-after': {
    severity: 'error',
    condition: 'A request refused with 429 was repeated before its Retry-After had passed.',
    advice: 'Wait for Retry-After seconds first; it takes precedence over any backoff schedule.',
    source: 'Errors, rule 2',
  },
  backoff: {
    severity: 'error',
    condition:
      'A retry after 500 or 503 came sooner than the schedule allows, or was a sixth retry: a request ' +
      'can be retried five times.',
    advice: `Retry at once, then after waits of ${laterWaits} s; give up after the fifth retry.`,
    source: 'Errors, rule 2',
  },
  'retry-unsafe': {
    severity: 'error',
    condition:
      'An identical request (method, path, body) followed a 400, 401, 402, 403, 404 or 413 ' +
      'although the client had changed nothing in between; waiting, reads and polls are not changes.',
    advice:
      'Retry only 429, 500 and 503, including writes; after other errors change the request or what it depends on.',
    source: 'Errors, rule 2',
  },
  'made-twice': {
    severity: 'warning',
    condition:
      'A write was carried out, but its connection broke; the client repeated it without first checking for ' +
      'the record, and so created the record again.',
    advice:
      'After a broken connection, first check whether the write was carried out, and repeat it only if it was not.',
    source: 'Errors, rule 2',
  },
  'read-only-write': {
    severity: 'warning',
    condition:
      'A row body holds a value for a read-only or attachment column that is not the key column of an ' +
      'upsert.',
    advice:
      'Leave such columns out: values sent for them are ignored. Upload files through the ' +
      'attachment endpoint.',
    source: 'Column',
  },
  'row-key-name': {
    severity: 'error',
    condition: 'A row uses the name of a column as a key, or custom_data the name of a field.',
    advice: 'Use ids as keys; the schema of the table or list maps names to ids.',
    source: 'Row',
  },
  'unknown-key': {
    severity: 'error',
    condition: 'A row or custom_data has a key that is neither the id nor the name of a column or field.',
    advice: 'Take the keys from the schema of the table or list.',
    source: 'Row',
  },
  'unknown-parameter': {
    severity: 'warning',
    condition: 'A request has a query parameter that is neither documented nor the name of a column.',
    advice: 'Check its spelling or leave it out.',
    source: 'Endpoints',
  },
  'unknown-field': {
    severity: 'warning',
    condition: 'A body has a field that the contract does not name, or a multipart body has such a part.',
    advice: 'Check its spelling or leave it out.',
    source: 'Endpoints',
  },
  'page-size': {
    severity: 'warning',
    condition:
      'limit or pageSize exceeds the maximum or is not a positive integer, page is not a positive ' +
      'integer, or offset is not an integer of at least 0.',
    advice: `Request a page size from 1 to the maximum (${pageSizes}); page numbers start at 1, offsets at 0.`,
    source: 'Limits',
  },
  'bulk-oversize': {
    severity: 'error',
    condition: `A bulk request has more than ${bulkRows} rows, or a job has more than the plan allows.`,
    advice:
      `Send ${String(bulkRowsPerRequest + 1)} to ${formatCount(bulkRowsPerJob)} rows as one job, and more ` +
      'than that as several jobs.',
    source: 'Limits',
  },
  'bulk-for-job': {
    severity: 'warning',
    condition:
      `Within a minute, one table received three or more bulk requests with over ${bulkRows} rows in total, ` +
      'on a plan that has jobs.',
    advice: 'Send the rows as one job.',
    source: 'Limits, sizing guidance',
  },
  'job-for-bulk': {
    severity: 'warning',
    condition: `A job was submitted with ${bulkRows} rows or fewer.`,
    advice: `Send up to ${bulkRows} rows in one bulk request.`,
    source: 'Limits, sizing guidance',
  },
  'job-oversized-split': {
    severity: 'warning',
    condition: 'Several successive jobs for one table had few enough rows in total to fit in a single job.',
    advice: 'Send the rows as one job.',
    source: 'Limits, sizing guidance',
  },
  'storage-key-encoding': {
    severity: 'error',
    condition: 'A storage key is used in a path without URL encoding.',
    advice: 'Pass the whole key through encodeURIComponent.',
    source: 'Row attachments',
  },
  'edit-running': {
    severity: 'error',
    condition: 'A PATCH went to a time entry that is still running.',
    advice: 'Stop the entry before editing it.',
    source: 'Time entry',
  },
  'relist-submissions': {
    severity: 'warning',
    condition:
      'All submissions of a form were listed again, without since or with a since that is too early; or since was ' +
      'not in Unix seconds.',
    advice: 'After the first listing, pass the last timestamp seen as since.',
    source: 'Forms',
  },
  milliseconds: {
    severity: 'warning',
    condition: `A time was sent as ${formatCount(firstMilliseconds)} or more, which in seconds is after the year 5000.`,
    advice: 'Send whole Unix seconds: Math.floor(Date.now() / 1000).',
    source: 'Opening paragraph',
  },
  'paging-gap': {
    severity: 'warning',
    condition:
      'A listing was read from its first page, but a later page began after the end of the previous one or ' +
      'beyond the end of the listing; or the filter changed and the listing was not read again from its beginning.',
    advice:
      'Begin each page where the previous one ended, and each listing at its first page: otherwise records ' +
      'are never read.',
    source: 'Limits',
  },
  'delete-while-paging': {
    severity: 'warning',
    condition:
      'Records of a page already read were deleted, or changed so that the filter leaves them out, before ' +
      'the next page of the listing was read.',
    advice:
      'Later records move up, so the next page skips some. Start again at the first page, reduce ' +
      'the offset by the number of records removed, or make the changes after reading the last page.',
    source: 'Limits',
  },
  'paging-stopped': {
    severity: 'info',
    condition:
      'A client read a listing page by page and stopped after a full page, although more records follow; ' +
      'reported only on request.',
    advice: 'Keep reading until a page is not full, unless you do not need the rest.',
    source: 'Limits',
  },
  'paging-overlap': {
    severity: 'warning',
    condition:
      'A listing was read from its first page, but a later page began before the end of the previous one.',
    advice: 'Begin each page where the previous one ended: count what was read, not what was kept.',
    source: 'Limits',
  },
  'time-too-small': {
    severity: 'warning',
    condition: `A time was sent as less than ${formatCount(firstSeconds)}, which in seconds is before September 2001.`,
    advice: 'Send whole Unix seconds: divide milliseconds once, and to clear a time send null, not 0.',
    source: 'Opening paragraph',
  },
  'float-noise': {
    severity: 'warning',
    condition: 'A currency value has a rounding error from a calculation, such as 0.1 + 0.2.',
    advice: 'Calculate in the smallest unit, or round the amount before sending it.',
    source: 'Column',
  },
  'empty-patch': {
    severity: 'warning',
    condition:
      'A PATCH had no fields and changed nothing. For a row, whose version it raises, this is reported only ' +
      'on request.',
    advice: 'Send the fields to change, and null to clear one: undefined is left out of JSON.',
    source: 'Endpoints',
  },
  'time-not-judged': {
    severity: 'info',
    condition:
      'A request was repeated under a manual clock that was not advanced in between, so rules about time ' +
      'could not be checked; reported only on request.',
    advice:
      'Pass mock.clock.sleep to the client as its sleep function, or advance the clock between requests.',
    source: 'Limits',
  },
  'content-type': {
    severity: 'warning',
    condition: 'A JSON body came without a JSON content type.',
    advice: 'Send Content-Type: application/json.',
    source: 'Opening paragraph',
  },
  'client-error': {
    severity: 'error',
    condition:
      'A request got a 400 that no other rule covers, or a 404 for a path that matches no operation.',
    advice: 'Read the error message of the response and correct the request.',
    source: 'Errors',
  },
  assumption: {
    severity: 'info',
    condition: 'A response depended on an open question, which the finding names; reported only on request.',
    advice: 'Ask the provider, or test the client with the other answers to that question.',
    source: 'Open questions',
  },
} as const satisfies Record<string, ClientRule>

export type RuleId = keyof typeof rules

/** Every rule of the report, in documentation order. */
export const clientRules: Readonly<Record<RuleId, ClientRule>> = rules
