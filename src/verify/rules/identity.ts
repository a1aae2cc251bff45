// Owns the rules of the workspace's identity.
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
