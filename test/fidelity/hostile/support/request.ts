// Requests that no careful client sends: random paths, parameters and headers around the real ones.
import fc from 'fast-check'
import { operationList } from '../../../../src/contract/index.ts'
import type { OperationSpec } from '../../../../src/contract/operation.ts'
import { allColumns } from '../../../behaviour/support/fixture.ts'
import { goodRequests } from '../../../behaviour/support/requests.ts'
import { oddText } from './values.ts'
import { hostileBody, type HostileBody } from './bodies.ts'

export interface HostileRequest {
  readonly method: string
  /** As it is sent over the wire. */
  readonly path: string
  readonly query: string
  readonly authorization: string | null
  readonly body: HostileBody | null
  readonly headers: readonly (readonly [name: string, value: string])[]
}

const often = (id: string) => Array.from({ length: 12 }, () => id)

/** Ids in the suite's fixture by path parameter, including those of other workspaces and hidden ones. */
const ids: Readonly<Record<string, readonly string[]>> = {
  tableId: [...often('tbl_all'), 'tbl_linked', 'tbl_empty', 'tbl_locked', 'tbl_free'],
  rowId: [...often('row_1'), 'row_2', 'row_3', 'lin_1', 'row_5', 'row_free', 'row_locked'],
  jobId: ['job_old', 'job_1', 'job_none'],
  spaceId: [...often('spc_main'), 'spc_private', 'spc_free'],
  listId: [...often('lst_main'), 'lst_second', 'lst_private', 'lst_free'],
  taskId: [...often('tsk_full'), 'tsk_plain', 'tsk_done', 'tsk_deleted', 'tsk_private', 'tsk_free'],
  commentId: ['cmt_ada', 'cmt_scoped', 'cmt_free'],
  entryId: ['ent_ada', 'ent_bo', 'ent_free'],
  attachmentId: ['att_brief', 'att_free'],
  formId: ['frm_task', 'frm_row', 'frm_draft', 'frm_free'],
  key: ['dt%2Ftbl_all%2Frow%2Frow_1%2Fcol_attachment%2Fnone.txt', 'dt%2Fother', 'dt/tbl_all/row/row_1/x'],
}

/** Paths may contain any byte except those that end them. */
const asPath = (text: string) => text.replace(/[\s?#\u0000-\u0020\u007f]/g, '_')

const oddSegment = fc.oneof(
  oddText.map((text) => encodeURIComponent(text.toWellFormed())),
  oddText.map(asPath),
  fc.constantFrom(
    '%',
    '%zz',
    '%00',
    '%F0%9F',
    '%ED%A0%80',
    '..',
    '.',
    '%2e%2e',
    '',
    ';',
    '{tableId}',
    '*',
    '%2F',
  ),
)

function pathOf({ path }: OperationSpec): fc.Arbitrary<string> {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      if (name === undefined) return fc.constant(segment)
      return fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(...(ids[name] ?? [''])) },
        { weight: 1, arbitrary: oddSegment },
      )
    })
  return fc.tuple(...segments).map((parts) => `/${parts.join('/')}`)
}

const mangled = (path: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 45, arbitrary: path },
    { weight: 1, arbitrary: path.map((text) => `${text}/`) },
    { weight: 1, arbitrary: path.map((text) => text.replaceAll('/', '//')) },
    { weight: 1, arbitrary: path.map((text) => text.toUpperCase()) },
    { weight: 1, arbitrary: fc.tuple(path, oddSegment).map(([text, more]) => `${text}/${more}`) },
    { weight: 1, arbitrary: fc.array(oddSegment, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`) },
  )

const parameterNames = [
  'page',
  'limit',
  'pageSize',
  'sort',
  'select',
  'offset',
  'since',
  'status',
  'q',
  'col',
]
const columnNames = allColumns.map(({ name }) => name)
const parameterName = fc.oneof(
  fc.constantFrom(...parameterNames, ...columnNames),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', 'col_text'),
  oddText,
)
const parameterValue = fc.oneof(
  fc.constantFrom('0', '-1', '1', '2', '501', '1e3', '0x10', ' 5', '9007199254740993', 'NaN', 'Infinity', ''),
  fc.constantFrom(
    'Title:desc',
    'Quantity',
    'Title:up',
    'Title,Title',
    ':',
    ',',
    'Stage:asc,Nothing',
    'Title',
  ),
  fc.constantFrom(
    'Lead',
    'opt_lead',
    'true',
    'mem_ada',
    'Ada Quill',
    'lin_1',
    'col_attachment',
    'done',
    'st_done',
  ),
  oddText,
)

const asQuery = (pairs: readonly (readonly [string, string])[]) =>
  pairs
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`,
    )
    .join('&')

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 5, arbitrary: fc.array(fc.tuple(parameterName, parameterValue), { maxLength: 5 }).map(asQuery) },
  {
    weight: 1,
    arbitrary: parameterValue.map((value) =>
      asQuery([
        ['limit', '1'],
        ['limit', value],
        ['limit', '2'],
      ]),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('%', '%zz=1', '&&&===', '?', '=', 'sort=%ED%A0%80', 'q=%F0%9F', '+=+'),
  },
  { weight: 1, arbitrary: oddText.map(asPath) },
)

const authorization = fc.oneof(
  { weight: 14, arbitrary: fc.constant('Bearer wm_test_master') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'Bearer wm_test_scoped',
      'Bearer wm_test_free',
      'Bearer wm_without_rows_write',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      null,
      '',
      'Bearer',
      'bearer  wm_test_master',
      'Basic eDp5',
      'Bearer __proto__',
      'Bearer wm_test_suspended',
      'Bearer wm_test_lapsed',
      `Bearer ${'x'.repeat(3000)}`,
    ),
  },
)

/** Header names and values that HTTP strictly allows. */
const oddHeader = fc.constantFrom(
  ['accept', '*/*;q=nonsense'],
  ['prefer', 'code=, code=abc'],
  ['prefer', 'code=999'],
  ['range', 'bytes=0-1'],
  ['if-none-match', '*'],
  ['expect', 'the-unexpected'],
  ['origin', 'null'],
  ['cookie', 'a=b; __proto__=c'],
  ['x-http-method-override', 'DELETE'],
  ['access-control-request-headers', 'x,y'],
  ['content-encoding', 'gzip'],
  ['x-forwarded-for', "'; drop table rows"],
  ['__proto__', 'x'],
  ['constructor', 'x'],
) as fc.Arbitrary<[string, string]>

const methods = fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS')

/** A request close to one of the operation's. */
function requestTo(operation: OperationSpec): fc.Arbitrary<HostileRequest> {
  const good = goodRequests.find(({ id }) => id === operation.id)
  const body = operation.method === 'GET' ? fc.constant(null) : hostileBody(operation, good?.json)
  return fc.record({
    method: fc.oneof(
      { weight: 40, arbitrary: fc.constant(operation.method) },
      { weight: 1, arbitrary: methods },
    ),
    path: mangled(pathOf(operation)),
    query,
    authorization,
    body,
    headers: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(oddHeader, { maxLength: 3 }) },
    ),
  })
}

/** All operations equally often, except that writes occur twice as often. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  ...operationList.map((operation) => ({
    weight: operation.method === 'GET' ? 1 : 2,
    arbitrary: requestTo(operation),
  })),
)
