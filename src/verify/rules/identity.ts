// The rules of the workspace's identity.
import { expectOnce, expectThat } from '../engine/expect.ts'
import { readRules } from '../engine/rule.ts'
import { idsOf } from '../../contract/data/maps.ts'

export const identityRules = readRules('contract, Identity', {
  'getIdentity/members-once: names every member once': async (c) =>
    expectOnce('member ids', idsOf((await c.seen.identity()).members)),
  'getIdentity/all-members: names every member to whom a task is assigned (contract, TaskCreate)': async (
    c,
  ) => {
    const members = idsOf((await c.seen.identity()).members)
    for (const list of await c.seen.fullLists())
      for (const { id: task, assignees } of await c.seen.tasks(list.id))
        for (const { id, name } of assignees)
          expectThat(members.includes(id), `member ${id} (${name}), assigned to ${task}`, members)
  },
  'getIdentity/key-scheme: takes the key as Bearer alone (contract, Authentication, 1)': async ({ api }) => {
    const headers = { authorization: 'Basic dmVyaWZ5OnZlcmlmeQ==' }
    await api.expect('getIdentity', 401, { key: null, headers })
  },
})
