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
    ({ world }) => world.inspect.overview(),
  ),
  route('GET', '/tables/{id}/rows', 'rows in insertion order; `?offset=&limit=`', (request) =>
    request.world.inspect.rows(request.params.id ?? '', pageOf(request)),
  ),
  route('GET', '/lists/{id}/tasks', 'the tasks of a list, deleted ones too', ({ world, params }) => ({
    tasks: world.inspect.tasks(params.id ?? ''),
  })),
  route('GET', '/forms/{id}/submissions', 'the submissions of a form, newest first', ({ world, params }) => ({
    submissions: world.inspect.submissions(params.id ?? ''),
  })),
]
