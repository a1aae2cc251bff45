// The hint for a request that no operation matches names operations on the resource in its path.
import { describe, expect, it } from 'vitest'
import { operationList } from '../../src/contract/index.ts'
import { createWorkspaceMock } from '../../src/index.ts'

const mock = createWorkspaceMock({ fixture: 'empty' })

async function hintAt(line: string): Promise<string> {
  const [method = '', path = ''] = line.split(' ')
  const response = await mock.fetch(mock.baseUrl + path, { method })
  expect(response.status, line).toBe(404)
  return response.headers.get('x-mock-hint') ?? ''
}

const expected: readonly (readonly [line: string, operations: string, note?: string])[] = [
  ['POST /tasks', 'createTask', 'Tasks are created under a list.'],
  ['GET /tasks', 'listTasks,getTask', 'Tasks are found under a list.'],
  ['PATCH /tasks', 'updateTask'],
  ['PUT /tasks/tsk_1', 'updateTask'],
  ['GET /tasks/tsk_1/', 'getTask', 'Paths do not end with a slash.'],
  ['GET /task', 'listTasks,getTask'],
  ['GET /v1/tasks/tsk_1', 'getTask'],
  ['POST /comments', 'createComment', 'Comments are created under a task.'],
  ['DELETE /comments/cmt_1', 'deleteComment'],
  ['POST /lists/lst_1/comments', 'createComment'],
  ['GET /rows', 'listRows', 'Rows are found under a table.'],
  ['PATCH /rows/row_1', 'updateRow'],
  ['POST /bulk', 'bulkInsertRows'],
  ['POST /jobs', 'submitInsertJob', 'Jobs are created under a table.'],
  ['GET /jobs', 'getJob'],
  ['GET /tables', 'listDatatables'],
  ['POST /tables/tbl_1/row', 'createRow'],
  ['GET /tables/tbl_1', 'getDatatableSchema,listRows'],
  ['GET /schema', 'getDatatableSchema,getListSchema'],
  ['POST /lists', 'createList', 'Lists are created under a space.'],
  ['DELETE /lists/lst_1', 'getList,updateList'],
  ['POST /forms/frm_1/submissions', 'listFormSubmissions'],
  ['GET /timeEntries', 'listTimeEntries', 'Time entries are found under a task.'],
  ['POST /entries', 'createTimeEntry'],
  ['GET /Attachments/att_1', 'downloadTaskAttachment'],
]

describe('a request that no operation matches', () => {
  it.each(expected.map(([line, operations, note = '']) => [line, operations, note] as const))(
    '%s has a hint at %s',
    async (line, operations, note) => {
      const hint = await hintAt(line)
      expect([...hint.matchAll(/\((\w+)\)/g)].map(([, id]) => id).join()).toBe(operations)
      expect(hint).toMatch(/^did you mean /)
      expect(hint).toContain(note)
    },
  )

  it.each(operationList.filter(({ path }) => path.split('/').length > 3))(
    '$method $path without its owner has a hint at an operation on the same resource',
    async ({ method, path }) => {
      const rest = path.split('/').slice(3)
      const hint = await hintAt(`${method} /${rest.join('/')}`)
      expect(hint).toContain(`/${String(rest[0])}`)
    },
  )

  it.each(['GET /users', 'GET /', 'POST /nothing/at/all'])(
    '%s has a hint at the paths there are',
    async (line) => {
      expect(await hintAt(line)).toMatch(/^the paths begin with \/me, \/datatables, .*\/forms$/)
    },
  )
})
