// Requests in flight while the state is replaced belong to the state in which they arrived.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from '../../src/index.ts'

type Send = (method: string, path: string, body?: BodyInit) => Promise<Response>

const senderOf =
  (mock: WorkspaceMock, sandbox?: string): Send =>
  (method, path, body) =>
    mock.fetch(
      new Request(`${mock.baseUrl}${path}`, {
        method,
        headers: {
          authorization: 'Bearer wm_demo_master',
          'content-type': 'application/json',
          ...(sandbox === undefined ? {} : { 'x-mock-sandbox': sandbox }),
        },
        ...(body === undefined ? {} : { body, duplex: 'half' }),
      }),
    )

/** Reasons why a write is in flight: its body is still being sent, a fault delays it, or it is queued. */
const ways = {
  'its body is still sent': (send: Send) => {
    let finish: () => void = () => undefined
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        finish = () => {
          controller.enqueue(new TextEncoder().encode('{"name":"Late"}'))
          controller.close()
        }
      },
    })
    const response = send('POST', '/spaces', body)
    return {
      response,
      finish: () => {
        finish()
      },
    }
  },
  'a fault delays it': (send: Send, mock: Pick<WorkspaceMock, 'fault'>) => {
    mock.fault({ delayMs: 20, status: 200, operation: 'createSpace' })
    return { response: send('POST', '/spaces', '{"name":"Late"}'), finish: () => undefined }
  },
  'a fault answers it after it was carried out': (send: Send, mock: Pick<WorkspaceMock, 'fault'>) => {
    mock.fault({ delayMs: 20, phase: 'after', operation: 'createSpace', status: 200 })
    return { response: send('POST', '/spaces', '{"name":"Late"}'), finish: () => undefined }
  },
  'its turn has not come': (send: Send) => ({
    response: send('POST', '/spaces', '{"name":"Late"}'),
    finish: () => undefined,
  }),
}

const replacements: Record<string, (mock: WorkspaceMock) => () => void> = {
  reset: (mock) => () => {
    mock.reset()
  },
  restore: (mock) => {
    const snapshot = mock.snapshot()
    return () => {
      mock.restore(snapshot)
    }
  },
  restoreSnapshot: (mock) => {
    mock.snapshots.save('start')
    return () => {
      mock.snapshots.restore('start')
    }
  },
  loadState: (mock) => {
    const state = mock.state()
    return () => {
      mock.loadState(state)
    }
  },
}

describe.each(Object.keys(ways) as (keyof typeof ways)[])('a request that is under way since %s', (way) => {
  it.each(Object.keys(replacements))('is answered, and not seen after %s', async (name) => {
    const mock = createWorkspaceMock()
    const replace = replacements[name]?.(mock)
    const before = JSON.stringify(mock.state())
    const { response, finish } = ways[way](senderOf(mock), mock)
    replace?.()
    finish()
    expect((await response).status).toBe(200)
    expect(JSON.stringify(mock.state())).toBe(before)
    expect(mock.requests()).toEqual([])
    expect(mock.report({ assumptions: true })).toEqual([])
    expect((await senderOf(mock)('GET', '/me')).status).toBe(200)
    expect(mock.requests()).toHaveLength(1)
  })

  it('is answered, and does not appear in a new sandbox of the same name', async () => {
    const mock = createWorkspaceMock()
    const { response, finish } = ways[way](senderOf(mock, 'one'), mock.sandbox('one'))
    expect(mock.deleteSandbox('one')).toBe(true)
    const before = JSON.stringify(mock.sandbox('one').state())
    finish()
    expect((await response).status).toBe(200)
    expect(JSON.stringify(mock.sandbox('one').state())).toBe(before)
    expect(mock.sandbox('one').requests()).toEqual([])
  })

  it('is answered, and does not appear in a boundary whose state was reset', async () => {
    const mock = createWorkspaceMock()
    await mock.boundary(async () => {
      const before = JSON.stringify(mock.state())
      const { response, finish } = ways[way](senderOf(mock), mock)
      mock.reset()
      finish()
      expect((await response).status).toBe(200)
      expect(JSON.stringify(mock.state())).toBe(before)
      expect(mock.requests()).toEqual([])
    })()
  })
})

describe('events', () => {
  it('of a request that belongs to an earlier state do not fire', async () => {
    const mock = createWorkspaceMock()
    const heard = vi.fn()
    mock.events.on('row.inserted', heard)
    const [table] = consoleControlsOf(mock).inspect.overview().workspaces[0]?.tables ?? []
    const path = `/datatables/${table?.id ?? ''}/rows`
    const late = senderOf(mock)('POST', path, '{"data":{}}')
    mock.reset()
    expect((await late).status).toBe(200)
    expect(heard).not.toHaveBeenCalled()
    await senderOf(mock)('POST', path, '{"data":{}}')
    expect(heard).toHaveBeenCalledTimes(1)
  })
})
