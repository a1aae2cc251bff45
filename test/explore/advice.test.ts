// What explore advises: the advice depends on the cause, and each finding is shown with its most natural fault.
import { describe, expect, test } from 'vitest'
import {
  createWorkspaceMock,
  type ExploreContext,
  type ExploreOptions,
  type WorkspaceMock,
} from 'workspace-api-mock'
import { apiOf, Client, type Api } from './support/clients.ts'

type Scenario = (api: Api, context: ExploreContext<WorkspaceMock>) => unknown

const tasks = '/lists/lst_production/tasks'
const ignore = () => undefined

async function findingOf(cause: string, scenario: Scenario, options: ExploreOptions<WorkspaceMock>) {
  const result = await createWorkspaceMock().explore((context) => scenario(apiOf(context), context), options)
  const found = result.findings.find((finding) => finding.cause === cause)
  expect(found, result.findings.map((finding) => finding.cause).join()).toBeDefined()
  return found!
}

describe('explore advises', () => {
  test('on the order of listings when new items come first and no request failed', async () => {
    const { advice, name } = await findingOf(
      'state task changed priority',
      async (api) => {
        await api('POST', tasks, { title: 'First' })
        await api('POST', tasks, { title: 'Second' })
        const { tasks: found } = await api('GET', `${tasks}?limit=200`)
        await api('PATCH', `/tasks/${found.at(-1).id}`, { priority: 'urgent' })
      },
      { families: ['compatibility'] },
    )
    expect(name).toBe('new items first')
    expect(advice).toMatch(/^The contract promises neither an order of listings/)
  })

  test('to repeat a read before anything follows from it, when a failed look-up makes a record', async () => {
    const { advice } = await findingOf(
      'state task added',
      async (api) => {
        const found = await api('GET', '/tasks/tsk_replace_burrs').catch(ignore)
        if (!found) await api('POST', tasks, { title: 'Burrs' })
      },
      { families: ['errors'] },
    )
    expect(advice).toMatch(/^A failed read is not an empty result/)
  })

  test('the same when a failed read changes what is written', async () => {
    const { advice } = await findingOf(
      'state task changed description',
      async (api) => {
        const { lists = [] } = await api('GET', '/lists').catch(() => ({}))
        await api('PATCH', '/tasks/tsk_label', { description: `${lists.length} lists` })
      },
      { families: ['errors', 'outage'] },
    )
    expect(advice).toMatch(/^A failed read is not an empty result/)
  })

  test('to look at the undisturbed run when that makes a record twice and the disturbed one once', async () => {
    const { advice, message } = await findingOf(
      'state comment twice',
      async (api) => {
        const send = () => api('POST', '/tasks/tsk_label/comments', { content: 'Once' })
        await Promise.allSettled([send(), send()])
      },
      { families: ['errors'] },
    )
    expect(message).toContain('exists once instead of 2')
    expect(advice).toMatch(/^The run without a fault already creates it more than once/)
  })

  test('to keep the order when a write was repeated after later ones', async () => {
    const { advice } = await findingOf(
      'state task changed title',
      async (_, context) => {
        const { update } = new Client(context)
        await Promise.all(['One', 'Two'].map((title) => update('tsk_label', { title })))
      },
      { families: ['errors'] },
    )
    expect(advice).toMatch(/^The failed request was repeated after later writes/)
  })

  test('to repeat or report when a write that failed was left out', async () => {
    const { advice } = await findingOf(
      'state task changed title',
      (api) => api('PATCH', '/tasks/tsk_label', { title: 'One' }).catch(ignore),
      { families: ['errors'] },
    )
    expect(advice).toMatch(/^Repeat a failed request, or report its failure/)
  })

  test('to keep by id when a client that ran again keeps what it read twice', async () => {
    const { advice, message } = await findingOf(
      'storage',
      async (api, { storage }) => {
        if (storage.has('done')) return
        const kept = (storage.get('names') as string[] | undefined) ?? []
        storage.set('names', kept)
        for (const { name } of (await api('GET', '/lists')).lists) kept.push(name)
        await api('GET', '/me')
        storage.set('done', true)
      },
      { families: ['crash'] },
    )
    expect(message).toMatch(/^after it was stopped and ran again, what it keeps in its storage has ".*twice$/)
    expect(advice).toMatch(/^Store what is read by its id/)
  })
})

describe('explore represents a finding by the most natural fault', () => {
  const swallow: Scenario = async (api) => {
    await api('GET', '/me').catch(ignore)
    await api('PATCH', '/tasks/tsk_label', { title: 'One' }).catch(ignore)
  }
  test.for<[string, ExploreOptions<WorkspaceMock>, family: string, name: RegExp]>([
    ['not by a suspended key', { families: ['outage', 'concurrency'] }, 'outage', /^503 for good$/],
    ['not by a refusal', { families: ['errors'], faults: 'all' }, 'errors', /^(503|500|connection broken)$/],
    ['nor by the answer to a question', { families: 'all' }, 'errors', /^(503|500|connection broken)$/],
  ])('%s', async ([, options, family, name]) => {
    const finding = await findingOf('state task changed title', swallow, options)
    expect(finding).toMatchObject({ family, name: expect.stringMatching(name), severity: 'error' })
    expect(finding.shownBy[0]).toMatchObject({ family, operation: 'updateTask' })
    expect(finding.count).toBeGreaterThan(1)
  })
})
