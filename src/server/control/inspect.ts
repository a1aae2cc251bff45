// Owns the routes of the control API for those who look at the mock's state, its console above all.
import { integerOf } from './observed.ts'
import { queryOf, route, type ControlRequest } from './route.ts'

const defaultRows = '50'

function pageOf(request: ControlRequest) {
  const { offset = '0', limit = defaultRows } = queryOf(request, ['offset', 'limit'])
  return { offset: integerOf('offset', offset), limit: integerOf('limit', limit) }
}

export const inspectRoutes = [
  route(
    'GET',
    '/overview',
    'workspaces with plans, limits, keys, tables, lists, jobs and forms',
    ({ store }) => store.inspect.overview(),
  ),
  route('GET', '/tables/{id}/rows', 'rows in insertion order; `?offset=&limit=`', (request) =>
    request.store.inspect.rows(request.params.id ?? '', pageOf(request)),
  ),
  route('GET', '/lists/{id}/tasks', 'the tasks of a list, deleted ones too', ({ store, params }) => ({
    tasks: store.inspect.tasks(params.id ?? ''),
  })),
  route('GET', '/forms/{id}/submissions', 'the submissions of a form, newest first', ({ store, params }) => ({
    submissions: store.inspect.submissions(params.id ?? ''),
  })),
]
