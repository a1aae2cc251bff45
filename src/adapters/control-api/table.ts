// The table of controls: their routes in the control API, the names of their arguments, and their settings in a
// console. Plain data, because the console of a remote mock must not load the functions.
import { plans } from '../../contract/limits.ts'
import type { WorkspaceOverview } from './inspect.ts'
import type { RemoteControls } from './own.ts'

/**
 * How an argument is sent: as one field; as the fields of an object, each optional; or as the whole body, described in
 * words. Fields named in the path go into the path; others go into the query for GET and DELETE, else into the body.
 */
type Argument<Name extends string = string> = string | readonly Name[] | { readonly body: string }

type SettingRecords = { readonly workspace: WorkspaceOverview } & {
  readonly [Of in 'keys' | 'tables' | 'forms']: WorkspaceOverview[Of][number]
}

/**
 * A field of a record that the control changes. It is shown as a switch if it has two values (the first means off),
 * otherwise as a choice.
 */
type Setting = {
  readonly [Of in keyof SettingRecords]: {
    readonly of: Of
    /** The control's field that takes the record's id. */
    readonly id: 'id' | 'key' | 'workspaceId'
    /** The field's name in the record and in the control. */
    readonly field: keyof SettingRecords[Of] & string
    readonly label: string
    readonly values: readonly SettingRecords[Of][keyof SettingRecords[Of]][]
  }
}[keyof SettingRecords]

export interface ControlRoute {
  /** Relative to the control API's root, with path fields in braces: `PATCH /tables/{id}`. */
  readonly route: `${'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'} /${string}`
  /** Query flag that selects this control, when true, over the route's other one. */
  readonly flag?: string
  readonly args: readonly Argument[]
  /** The response field that holds the result; if absent, the result is the whole response. */
  readonly under?: string
  /** Set if the response is `text/plain`. */
  readonly isText?: true
  /** Set if the body can be as large as the whole state. */
  readonly isLarge?: true
  /** Set if the body can be a CSV file, recognized by content type; `file` and `text` are then its name and text. */
  readonly takesFile?: true
  readonly settings?: readonly Setting[]
}

type RouteTable<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => unknown
    ? ControlRoute & {
        readonly args: { readonly [Index in keyof Args]-?: Argument<keyof NonNullable<Args[Index]> & string> }
      }
    : RouteTable<Methods[Name]>
}

/** The types of query fields that are not strings. All other fields are strings, even if they look like numbers. */
export const queryTypes: Readonly<Record<string, 'count' | 'flag' | 'status'>> = {
  status: 'status',
  ...{ since: 'count', after: 'count', before: 'count', limit: 'count', offset: 'count' },
  ...{ assumptions: 'flag', used: 'flag', summary: 'flag' },
}

const filter = ['operation', 'status', 'since', 'after', 'before', 'record', 'text', 'limit'] as const

const routes = {
  health: { route: 'GET /health', args: [] },
  reset: { route: 'POST /reset', args: [] },
  sandboxes: { route: 'GET /sandboxes', args: [], under: 'sandboxes' },
  sandboxSummaries: { route: 'GET /sandboxes', flag: 'summary', args: [], under: 'sandboxes' },
  deleteSandbox: { route: 'DELETE /sandboxes/{name}', args: ['name'] },
  clock: {
    read: { route: 'GET /clock', args: [] },
    change: { route: 'PUT /clock', args: [['now', 'mode']] },
    advance: { route: 'POST /clock/advance', args: [['ms', 'by']] },
  },
  faults: { route: 'GET /faults', args: [], under: 'faults' },
  usedFaults: { route: 'GET /faults', flag: 'used', args: [], under: 'faults' },
  fault: { route: 'POST /faults', args: [{ body: 'as `mock.fault`' }] },
  resetFaults: { route: 'DELETE /faults', args: [] },
  removeFault: { route: 'DELETE /faults/{id}', args: ['id'] },
  requests: { route: 'GET /requests', args: [filter], under: 'requests' },
  requestSummaries: { route: 'GET /requests', flag: 'summary', args: [filter], under: 'requests' },
  request: { route: 'GET /requests/{id}', args: ['id'] },
  reason: { route: 'GET /requests/{id}/reason', args: ['id'], under: 'reason' },
  clearRequests: { route: 'DELETE /requests', args: [] },
  copyAs: { route: 'GET /requests.copy', args: ['as', 'ids'], under: 'text' },
  har: { route: 'GET /requests.har', args: [] },
  coverage: { route: 'GET /coverage', args: [] },
  report: { route: 'GET /report', args: [['assumptions']], under: 'findings' },
  explain: { route: 'GET /explain', args: [], isText: true },
  questions: { route: 'GET /questions', args: [], under: 'questions' },
  answers: { route: 'GET /answers', args: [] },
  setAnswers: { route: 'PUT /answers', args: [{ body: '`{question: answer}`' }] },
  state: { route: 'GET /state', args: [] },
  loadState: { route: 'PUT /state', args: [{ body: 'a fixture' }], isLarge: true },
  seed: { route: 'POST /seed', args: [{ body: 'a part of a fixture' }], isLarge: true },
  snapshot: { route: 'GET /snapshot', args: [] },
  restore: { route: 'PUT /snapshot', args: [{ body: 'a snapshot' }], isLarge: true },
  snapshots: {
    names: { route: 'GET /snapshots', args: [], under: 'snapshots' },
    list: { route: 'GET /snapshots', flag: 'summary', args: [], under: 'snapshots' },
    read: { route: 'GET /snapshots/{name}', args: ['name'] },
    add: { route: 'POST /snapshots/{name}', args: ['name', { body: 'a snapshot' }], isLarge: true },
    save: { route: 'PUT /snapshots/{name}', args: ['name'] },
    delete: { route: 'DELETE /snapshots/{name}', args: ['name'] },
    restore: { route: 'POST /snapshots/{name}/restore', args: ['name'] },
  },
  changeWorkspace: {
    route: 'PATCH /workspace',
    args: [['plan', 'billing', 'limits', 'workspaceId']],
    settings: [
      { of: 'workspace', id: 'workspaceId', field: 'plan', label: 'Plan', values: plans },
      {
        of: 'workspace',
        id: 'workspaceId',
        field: 'billing',
        label: 'Billing lapsed: every request gets 403',
        values: ['ok', 'lapsed'],
      },
    ],
  },
  suspendKey: {
    route: 'PATCH /keys/{key}',
    args: ['key', 'suspended'],
    settings: [
      { of: 'keys', id: 'key', field: 'suspended', label: 'Suspended (402)', values: [false, true] },
    ],
  },
  lockTable: {
    route: 'PATCH /tables/{id}',
    args: ['id', 'locked'],
    settings: [{ of: 'tables', id: 'id', field: 'locked', label: 'Locked (403)', values: [false, true] }],
  },
  addCsv: { route: 'POST /tables/{id}/rows', args: ['id', 'file', 'text'], isLarge: true, takesFile: true },
  failJob: { route: 'POST /jobs/{id}/fail', args: ['id'] },
  restoreTask: { route: 'POST /tasks/{id}/restore', args: ['id'] },
  publishForm: {
    route: 'PATCH /forms/{id}',
    args: ['id', 'is_published'],
    settings: [{ of: 'forms', id: 'id', field: 'is_published', label: 'Published', values: [0, 1] }],
  },
  submitForm: { route: 'POST /forms/{id}/submissions', args: ['id', 'data'] },
  db: {
    create: { route: 'POST /db/{collection}', args: ['collection', ['values', 'table']] },
    change: { route: 'PATCH /db/{collection}/{id}', args: ['collection', 'id', ['values', 'table']] },
    remove: { route: 'DELETE /db/{collection}/{id}', args: ['collection', 'id', ['table']] },
  },
  console: {
    search: { route: 'GET /console/search', args: ['text', ['of']], under: 'matches' },
    rules: { route: 'GET /console/rules', args: [], under: 'rules' },
    journals: {
      route: 'GET /console/journals',
      args: [['of', 'before', 'after', 'limit']],
      under: 'requests',
    },
    whole: { route: 'GET /console/requests/{id}', args: ['id', ['of']] },
    contents: { route: 'GET /console/contents', args: [['of']] },
  },
  inspect: {
    overview: { route: 'GET /overview', args: [] },
    rows: { route: 'GET /tables/{id}/rows', args: ['id', ['offset', 'limit', 'search', 'sort', 'filters']] },
    row: { route: 'GET /tables/{id}/rows/{row}', args: ['id', 'row'] },
    task: { route: 'GET /tasks/{id}', args: ['id'] },
    tasks: { route: 'GET /lists/{id}/tasks', args: ['id'], under: 'tasks' },
    submissions: { route: 'GET /forms/{id}/submissions', args: ['id'], under: 'submissions' },
  },
} as const satisfies RouteTable<RemoteControls>

/** A route with its control's name, after the group if it has one: `['clock', 'advance']`. */
export interface NamedRoute extends ControlRoute {
  readonly names: readonly string[]
}

interface Routes {
  readonly [name: string]: ControlRoute | Routes
}

const isRoute = (entry: Routes[string]): entry is ControlRoute => typeof entry.route === 'string'

const listRoutes = (table: Routes, group: readonly string[] = []): readonly NamedRoute[] =>
  Object.entries(table).flatMap(([name, entry]) => {
    const names = [...group, name]
    return isRoute(entry) ? { ...entry, names } : listRoutes(entry, names)
  })

export const routeList = listRoutes(routes)

/** The route of a control by name, such as `clock.advance`; undefined if there is none. */
export const findControl = (name: string | undefined): NamedRoute | undefined =>
  routeList.find(({ names }) => names.join('.') === name)

/** @throws {Error} if the control API has no such control */
export function getControl(name: string): NamedRoute {
  const route = findControl(name)
  if (!route) throw new Error(`the control API has no control ${name}`)
  return route
}

export type NamedSetting = Setting & { readonly control: NamedRoute }

export const settings: readonly NamedSetting[] = routeList.flatMap((control) =>
  (control.settings ?? []).map((setting) => ({ ...setting, control })),
)
