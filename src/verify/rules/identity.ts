// The rules of the workspace's identity.
import { contract, expectSame, expectThat, type Rule } from '../engine/rule.ts'

export const identityRules: readonly Rule[] = [
  {
    id: 'members-once',
    operation: 'getIdentity',
    source: contract('Identity'),
    needs: 'read',
    says: 'names every member once',
    check: async ({ seen }) => {
      const ids = (await seen.identity()).members.map(({ id }) => id)
      expectSame('member ids', ids, [...new Set(ids)])
    },
  },
  {
    id: 'all-members',
    operation: 'getIdentity',
    source: contract('TaskCreate'),
    needs: 'read',
    says: 'names every member to whom a task is assigned',
    check: async ({ seen }) => {
      const members = new Set((await seen.identity()).members.map(({ id }) => id))
      for (const list of await seen.fullLists())
        for (const { id: task, assignees } of await seen.tasks(list.id))
          for (const { id, name } of assignees)
            expectThat(members.has(id), `member ${id} (${name}), assigned to ${task}`, [...members])
    },
  },
  {
    id: 'key-scheme',
    operation: 'getIdentity',
    source: contract('Authentication, 1'),
    needs: 'read',
    says: 'takes the key as Bearer alone',
    check: async ({ api }) => {
      const reply = await api.call('getIdentity', {
        key: null,
        headers: { authorization: 'Basic dmVyaWZ5OnZlcmlmeQ==' },
      })
      expectThat(reply.status === 401, 'status 401', reply.summary)
    },
  },
]
