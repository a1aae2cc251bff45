// How much uploads can make the server hold: nothing without a key, a bounded number of bytes with one.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { times } from '../behaviour/support/times.ts'
import { served } from './support/served.ts'

const MIB = 1024 * 1024
const mock = createWorkspaceMock()
const server = served(mock, { bytesInFlight: 8 * MIB })
const tasks = `/v1/lists/${consoleControlsOf(mock).inspect.overview().workspaces[0]?.lists[0]?.id ?? ''}/tasks`

interface Sent {
  readonly socket: Socket
  readonly status: Promise<number>
}

/** Sends the head of an upload of `sizeBytes` bytes; `write` sends the bytes. */
function upload(path: string, sizeBytes: number, key: string | null): Sent {
  const socket = connect(server.port, '127.0.0.1')
  let text = ''
  socket.on('error', () => undefined)
  const status = new Promise<number>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      resolve(Number(text.split(' ')[1]))
    })
    socket.on('close', () => {
      resolve(0)
    })
  })
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    ...(key === null ? [] : [`Authorization: Bearer ${key}`]),
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${String(sizeBytes)}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return { socket, status }
}

const block = Buffer.alloc(MIB)

async function write({ socket }: Sent, sizeBytes: number): Promise<void> {
  for (let left = sizeBytes; left > 0 && !socket.destroyed; left -= block.length)
    await new Promise<void>((resolve) => {
      socket.once('close', resolve)
      socket.write(left < block.length ? block.subarray(0, left) : block, () => {
        socket.off('close', resolve)
        resolve()
      })
    })
}

describe('uploads that are refused anyway', () => {
  it.each([
    ['without a key', null, 401],
    ['to a list that does not exist', 'wm_demo_master', 404],
  ])('of 10 x 100 MiB %s are not held, and answered as ever', async (_what, key, status) => {
    const path = key === null ? tasks : '/v1/lists/none/tasks'
    const before = process.memoryUsage().arrayBuffers
    let mostBytes = 0
    const sampling = setInterval(() => {
      mostBytes = Math.max(mostBytes, process.memoryUsage().arrayBuffers - before)
    }, 5)
    const uploads = times(10, () => upload(path, 100 * MIB, key))
    await Promise.all(uploads.map((sent) => write(sent, 100 * MIB)))
    expect(await Promise.all(uploads.map((sent) => sent.status))).toEqual(times(10, () => status))
    clearInterval(sampling)
    for (const { socket } of uploads) socket.destroy()
    // Includes bytes that were read but not yet garbage-collected.
    expect(mostBytes).toBeLessThan(400 * MIB)
    expect(mock.requests({ status })).toHaveLength(10)
  })

  it('leave their size in the journal', async () => {
    const sent = upload(tasks, 100_000, null)
    await write(sent, 100_000)
    expect(await sent.status).toBe(401)
    sent.socket.destroy()
    expect(mock.requests()).toMatchObject([{ requestBody: { sizeBytes: 100_000, truncated: true } }])
  })
})

describe('uploads beyond the bytes that can be held at once', () => {
  const me = async () => {
    const headers = { authorization: 'Bearer wm_demo_master' }
    return (await fetch(`${server.baseUrl}/me`, { headers })).status
  }

  it('answer 503, and harm no other request', async () => {
    const statuses: number[] = []
    for (const sizeBytes of [9 * MIB, 7 * MIB, 9 * MIB, 7 * MIB]) {
      const sent = upload(tasks, sizeBytes, 'wm_demo_master')
      await write(sent, sizeBytes)
      statuses.push(await sent.status)
      sent.socket.destroy()
      expect(await me()).toBe(200)
    }
    // 400: it is not multipart; what matters is that it was read.
    expect(statuses).toEqual([503, 400, 503, 400])
    expect(mock.requests({ status: 503 })).toMatchObject([
      { refusal: 'unavailable', responseBody: { json: { transient: true } } },
      { requestBody: { sizeBytes: 9 * MIB } },
    ])
  })

  it('give back what a broken one held', async () => {
    const broken = upload(tasks, 7 * MIB, 'wm_demo_master')
    await write(broken, 6 * MIB)
    broken.socket.resetAndDestroy()
    await expect
      .poll(async () => {
        const next = upload(tasks, 7 * MIB, 'wm_demo_master')
        await write(next, 7 * MIB)
        const status = await next.status
        next.socket.destroy()
        return status
      })
      .toBe(400)
  })
})
