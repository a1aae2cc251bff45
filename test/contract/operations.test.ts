// Checks that the declared operations match the documentation, in its order.
import fc from 'fast-check'
import { addRoute, createRouter, findRoute } from 'rou3'
import { describe, expect, it } from 'vitest'
import { matchOperation } from '../../src/mock/requests/operation-matcher.ts'
import { toRouterPath } from '../../src/contract/operation.ts'
import { operationList } from '../../src/contract/index.ts'
import { errorKinds } from '../../src/contract/errors.ts'
import { operationIds } from '../../src/contract/scopes.ts'
import { goodRequests } from '../behaviour/support/requests.ts'

/** Id, method, path, status of success, error statuses the documentation lists. */
const documented: [string, string, string, number, number[]][] = [
  ['getIdentity', 'GET', '/me', 200, [401, 403]],
  ['listDatatables', 'GET', '/datatables', 200, [401]],
  ['getDatatableSchema', 'GET', '/datatables/{tableId}/schema', 200, [404]],
  ['listRows', 'GET', '/datatables/{tableId}/rows', 200, [404]],
  ['queryRows', 'POST', '/datatables/{tableId}/query', 200, []],
  ['createRow', 'POST', '/datatables/{tableId}/rows', 200, [400, 404]],
  ['bulkInsertRows', 'POST', '/datatables/{tableId}/rows/bulk', 200, [403, 413, 429]],
  ['getRow', 'GET', '/datatables/{tableId}/rows/{rowId}', 200, [404]],
  ['updateRow', 'PATCH', '/datatables/{tableId}/rows/{rowId}', 200, [404]],
  ['deleteRow', 'DELETE', '/datatables/{tableId}/rows/{rowId}', 200, [404]],
  ['submitInsertJob', 'POST', '/datatables/{tableId}/jobs/insert', 202, [400, 403, 413, 429]],
  ['getJob', 'GET', '/jobs/{jobId}', 200, [404]],
  ['uploadRowAttachment', 'POST', '/datatables/{tableId}/rows/{rowId}/attachments', 200, [413]],
  ['deleteRowAttachment', 'DELETE', '/datatables/{tableId}/rows/{rowId}/attachments/{key}', 200, [400, 404]],
  ['listSpaces', 'GET', '/spaces', 200, []],
  ['createSpace', 'POST', '/spaces', 200, [403]],
  ['updateSpace', 'PATCH', '/spaces/{spaceId}', 200, [404]],
  ['createList', 'POST', '/spaces/{spaceId}/lists', 201, [403]],
  ['listLists', 'GET', '/lists', 200, []],
  ['getList', 'GET', '/lists/{listId}', 200, [404]],
  ['updateList', 'PATCH', '/lists/{listId}', 200, [404]],
  ['getListSchema', 'GET', '/lists/{listId}/schema', 200, []],
  ['listTasks', 'GET', '/lists/{listId}/tasks', 200, []],
  ['createTask', 'POST', '/lists/{listId}/tasks', 201, [400, 404, 413]],
  ['getTask', 'GET', '/tasks/{taskId}', 200, [404]],
  ['updateTask', 'PATCH', '/tasks/{taskId}', 200, [400, 404]],
  ['deleteTask', 'DELETE', '/tasks/{taskId}', 200, [404]],
  ['listComments', 'GET', '/tasks/{taskId}/comments', 200, []],
  ['createComment', 'POST', '/tasks/{taskId}/comments', 200, []],
  ['updateComment', 'PATCH', '/tasks/{taskId}/comments/{commentId}', 200, [403, 404]],
  ['deleteComment', 'DELETE', '/tasks/{taskId}/comments/{commentId}', 200, [403, 404]],
  ['listTimeEntries', 'GET', '/tasks/{taskId}/time-entries', 200, []],
  ['createTimeEntry', 'POST', '/tasks/{taskId}/time-entries', 200, []],
  ['updateTimeEntry', 'PATCH', '/tasks/{taskId}/time-entries/{entryId}', 200, []],
  ['deleteTimeEntry', 'DELETE', '/tasks/{taskId}/time-entries/{entryId}', 200, []],
  ['listTaskAttachments', 'GET', '/tasks/{taskId}/attachments', 200, []],
  ['uploadTaskAttachment', 'POST', '/tasks/{taskId}/attachments', 201, [413]],
  ['downloadTaskAttachment', 'GET', '/tasks/{taskId}/attachments/{attachmentId}', 200, [404]],
  ['deleteTaskAttachment', 'DELETE', '/tasks/{taskId}/attachments/{attachmentId}', 200, [404]],
  ['listForms', 'GET', '/forms', 200, []],
  ['getForm', 'GET', '/forms/{formId}', 200, [404]],
  ['listFormSubmissions', 'GET', '/forms/{formId}/submissions', 200, []],
]

describe('operations', () => {
  it('are those of the documentation, in its order, with its methods, paths and statuses', () => {
    const declared = operationList.map(({ id, method, path, success, documentedErrors }) => [
      id,
      method,
      path,
      success.status,
      [...documentedErrors],
    ])
    expect(declared).toEqual(documented)
  })

  it('have a scope each, in the same order', () => {
    expect([...operationIds]).toEqual(documented.map(([id]) => id))
  })

  it('are those for which the behaviour suite has a valid request', () => {
    expect(goodRequests.map(({ id, method }) => [id, method])).toEqual(
      documented.map(([id, method]) => [id, method]),
    )
  })

  it('page as documented', () => {
    const limits = operationList.flatMap(({ id, query }) => {
      const limit = query?.limit
      return limit?.kind === 'integer' ? [[id, limit.default, limit.maximum]] : []
    })
    expect(limits).toEqual([
      ['listRows', 50, 500],
      ['listTasks', 50, 200],
      ['listFormSubmissions', 50, 200],
    ])
  })
})

describe('the compiled router', () => {
  it('finds the same as the router from which it was compiled', () => {
    const router = createRouter<string>()
    for (const { id, method, path } of operationList) addRoute(router, method, toRouterPath(path), id)
    const words = operationList.flatMap(({ path }) => path.split('/').filter((part) => !part.startsWith('{')))
    const part = fc.constantFrom(...words, 'tsk_1', '%2F', '..', '__proto__', 'constructor')
    const method = fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'toString')
    fc.assert(
      fc.property(method, fc.array(part, { maxLength: 8 }), (sent, parts) => {
        const path = `/${parts.join('/')}`
        const found = findRoute(router, sent, path)
        const compiled = matchOperation(sent, path)
        expect(compiled?.data.id).toBe(found?.data)
        expect({ ...compiled?.params }).toEqual({ ...found?.params })
      }),
      { numRuns: 2000 },
    )
  })
})

describe('error kinds', () => {
  it('have the statuses of the documentation', () => {
    const statuses = new Set(Object.values(errorKinds).map(({ status }) => status))
    expect([...statuses].sort()).toEqual([400, 401, 402, 403, 404, 413, 429, 500, 503])
  })
})
