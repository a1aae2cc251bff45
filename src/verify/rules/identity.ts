// The rules of the workspace's identity.
import { expectOnce, expectStatus, expectThat, idsOf } from '../engine/expect.ts'
import { readRules } from '../engine/rule.ts'

export const identityRules = readRules('contract, Identity', {
  'getIdentity/members-once: names every member once': async ({ seen }) =>
    expectOnce('member ids', idsOf((await seen.identity()).members)),
  'getIdentity/all-members: names every member to whom a task is assigned (contract, TaskCreate)': async ({
    seen,
  }) => {
    const members = idsOf((await seen.identity()).members)
    for (const list of await seen.fullLists())
      for (const { id: task, assignees } of await seen.tasks(list.id))
        for (const { id, name } of assignees)
          expectThat(members.includes(id), `member ${id} (${name}), assigned to ${task}`, members)
  },
  'getIdentity/key-scheme: takes the key as Bearer alone (contract, Authentication, 1)': async ({ api }) => {
    const headers = { authorization: 'Basic dmVyaWZ5OnZlcmlmeQ==' }
    expectStatus(await api.call('getIdentity', { key: null, headers }), 401)
  },
})
