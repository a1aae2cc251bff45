// Fault exploration in a page: with a client that uses the page's own fetch through the worker, and with one that is
// given fetch.
import { afterEach, expect, it } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from '../../../src/index.ts'
import { startWorker } from '../../../src/browser.ts'

let stop: () => void | Promise<void> = () => undefined
afterEach(() => stop())

/** Adds a comment, and again if it gets no response, which creates two if the first request was carried out. */
async function addComment(
  fetch: typeof globalThis.fetch,
  sleep: (ms: number) => Promise<unknown>,
  mock: WorkspaceMock,
  task: string,
) {
  const send = () =>
    fetch(`${mock.baseUrl}/tasks/${task}/comments`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${mock.keys.master ?? ''}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ content: 'Once' }),
    })
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await send()
      if (response.ok) return
      if (attempt === 3) throw new Error(`answered ${String(response.status)}`)
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 0))
    } catch (error) {
      if (attempt === 3 || !(error instanceof TypeError)) throw error
    }
  }
}

it.each(["the page's fetch", 'the fetch it is given'])(
  'explore finds what a client does twice that uses %s, and leaves the mock as it was',
  async (which) => {
    const mock = createWorkspaceMock()
    ;({ stop } = await startWorker(mock, { quiet: true }))
    const task = mock.db.tasks.findFirst()?.id ?? ''
    const before = JSON.stringify(mock.state())
    const result = await mock.explore(
      ({ fetch, sleep }) =>
        addComment(which === "the page's fetch" ? globalThis.fetch : fetch, sleep, mock, task),
      { families: ['errors'] },
    )
    const twice = result.findings.filter(({ kind }) => kind === 'state')
    expect(twice.map(({ operation, fault }) => [operation, fault?.network, fault?.phase])).toEqual([
      ['createComment', true, 'after'],
    ])
    expect(result.covered.tried).toBe(result.covered.possible)
    expect(JSON.stringify(mock.state())).toBe(before)
    expect(mock.requests()).toEqual([])
  },
)
