// The rules that the report checks a client against.
import { bulkRowsPerJob, bulkRowsPerRequest, laterWaits, mostPerPage, pollMs } from './limits.ts'
import { formatCount } from './text/format.ts'

export type Severity = 'error' | 'warning' | 'info'

export interface ClientRule {
  /** `error` breaks a documented rule, `warning` works but not as intended, `info` relies on an assumption. */
  readonly severity: Severity
  /** What a client did when the rule is broken. */
  readonly condition: string
  readonly advice: string
  /** The part of the contract that the rule follows from. */
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
    condition: 'A job was polled again after a response had said done or failed.',
    advice: 'Stop polling at the first response that says done or failed.',
    source: 'Jobs',
  },
  'retry-after': {
    severity: 'error',
    condition: 'A request refused with 429 was repeated before its Retry-After had passed.',
    advice: 'Wait the seconds of Retry-After first; it takes precedence over any backoff schedule.',
    source: 'Errors, rule 2',
  },
  backoff: {
    severity: 'error',
    condition:
      'A request was repeated after 500 or 503 sooner than the schedule allows, or a sixth ' +
      'attempt was made.',
    advice: `Retry at once, then after waits of ${laterWaits} s, and give up instead of a sixth attempt.`,
    source: 'Errors, rule 2',
  },
  'retry-unsafe': {
    severity: 'error',
    condition:
      'An identical request (method, path, body) followed a 400, 401, 402, 403, 404 or 413 ' +
      'although the client had changed nothing in between; waiting, reads and polls are not changes.',
    advice: 'Retry only 429, 500 and 503; after other errors change the request or what it depends on.',
    source: 'Errors, rule 2',
  },
  'read-only-write': {
    severity: 'warning',
    condition: 'A row body holds a value for a read-only or attachment column.',
    advice:
      'Leave such columns out, since what is sent for them is ignored; upload files through the ' +
      'attachment endpoint.',
    source: 'Column',
  },
  'row-key-name': {
    severity: 'error',
    condition: 'A row is keyed by the name of a column, or custom_data by the name of a field.',
    advice: 'Use ids as keys; the schema of the table or list maps names to ids.',
    source: 'Row',
  },
  'unknown-key': {
    severity: 'error',
    condition: 'A key in a row or in custom_data is neither the id nor the name of a column or field.',
    advice: 'Take the keys from the schema of the table or list.',
    source: 'Row',
  },
  'unknown-parameter': {
    severity: 'warning',
    condition: 'A query parameter is neither documented nor the name of a column.',
    advice: 'Check its spelling or leave it out.',
    source: 'Endpoints',
  },
  'unknown-field': {
    severity: 'warning',
    condition: 'A body has a field, or a multipart body a part, that the contract does not name.',
    advice: 'Check its spelling or leave it out.',
    source: 'Endpoints',
  },
  'page-size': {
    severity: 'warning',
    condition:
      'limit or pageSize exceeds the maximum or is not a positive integer, page is not a positive ' +
      'integer, or offset is not an integer from 0.',
    advice: `Ask for 1 up to the maximum (${pageSizes}); pages count from 1, offsets from 0.`,
    source: 'Limits',
  },
  'bulk-oversize': {
    severity: 'error',
    condition: `A bulk request has more than ${bulkRows} rows, or a job more than the plan allows.`,
    advice: `Send ${String(bulkRowsPerRequest + 1)} to ${formatCount(bulkRowsPerJob)} rows as one job, more as several jobs.`,
    source: 'Limits',
  },
  'bulk-for-job': {
    severity: 'warning',
    condition:
      `Within a minute one table got three or more bulk requests with over ${bulkRows} rows together, ` +
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
    condition: 'Several successive jobs to one table together have no more rows than one job can have.',
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
      'All submissions of a form were listed again although since would have sufficed, or with a ' +
      'since that is not a moment in Unix seconds.',
    advice: 'After the first listing pass the last timestamp seen as since.',
    source: 'Forms',
  },
  'content-type': {
    severity: 'warning',
    condition: 'A JSON body came without a JSON content type.',
    advice: 'Send Content-Type: application/json.',
    source: 'Opening paragraph',
  },
  'client-error': {
    severity: 'error',
    condition: 'A request got a 400 that no other rule covers, or a 404 for a path that is not an operation.',
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

/** All rules of the report, in the order in which they are documented. */
export const clientRules: Readonly<Record<RuleId, ClientRule>> = rules
