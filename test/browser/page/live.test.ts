// Owns what the console keeps up to date: the end of the journal, through clearing and resets, and only while looked at.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock } from '../../../src/index.ts'
import { LiveFeed, type LiveState } from '../../../src/browser/console/live.ts'
import { createPageSource } from '../../../src/browser/console/page-source.ts'

const mock = createWorkspaceMock({ fixture: 'demo' })
const world = createPageSource(mock).world(null)
let state: LiveState | undefined
const feed = new LiveFeed(world, (next) => {
  state = next
})

afterEach(() => {
  feed.stop()
  mock.reset()
  vi.restoreAllMocks()
})

const ask = (path: string) => mock.fetch(new Request(`${mock.baseUrl}${path}`))
const shown = () => state?.entries.map(({ id, path }) => `${String(id)} ${path}`)

async function look(): Promise<void> {
  await feed.refresh()
}

describe('LiveFeed', () => {
  it('takes in what is new, and knows when the journal was cleared or began anew', async () => {
    feed.start()
    await ask('/me')
    await look()
    expect(shown()).toEqual(['1 /me'])
    await ask('/spaces')
    await ask('/forms')
    await look()
    expect(shown()).toEqual(['1 /me', '2 /spaces', '3 /forms'])
    mock.clearRequests()
    await ask('/lists')
    await look()
    expect(shown()).toEqual(['4 /lists'])
    mock.reset()
    for (const path of ['/me', '/me', '/forms', '/spaces', '/lists']) await ask(path)
    await look()
    expect(shown()).toEqual(['1 /me', '2 /me', '3 /forms', '4 /spaces', '5 /lists'])
  })

  it('asks for the new alone', async () => {
    feed.start()
    for (let count = 0; count < 20; count++) await ask('/me')
    await look()
    const requests = vi.spyOn(world, 'requests')
    await ask('/forms')
    await look()
    expect(requests.mock.calls).toEqual([[{ after: 19, limit: 500 }]])
    expect((await requests.mock.results[0]?.value)?.length).toBe(2)
  })

  it('keeps what it knows while the mock does not answer, and says why', async () => {
    feed.start()
    await ask('/me')
    await look()
    vi.spyOn(world.inspect, 'overview').mockRejectedValue(new Error('gone'))
    await look()
    expect(state).toMatchObject({ failure: 'gone', entries: [{ path: '/me' }] })
    vi.restoreAllMocks()
    await look()
    expect(state?.failure).toBeNull()
  })

  it('does not ask while the page is hidden, and asks at once when it is shown again', async () => {
    feed.start()
    await look()
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const overview = vi.spyOn(world.inspect, 'overview')
    await look()
    await new Promise((resolve) => setTimeout(resolve, 1300))
    expect(overview).toHaveBeenCalledTimes(1)
    visibility.mockReturnValue('visible')
    document.dispatchEvent(new Event('visibilitychange'))
    await expect.poll(() => overview.mock.calls.length).toBe(2)
  })
})
