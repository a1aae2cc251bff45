// How long an exploration waits: for computation in its process, and for timers that keep firing without a request.
import { createServer } from 'node:net'
import { scrypt, webcrypto } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { spawn } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'

const mock = createWorkspaceMock()

describe('explore waits for a client that', () => {
  const slowly: Record<string, () => Promise<unknown>> = {
    'derives a key': async () => {
      for (let round = 0; round < 3; round++)
        await new Promise((resolve) => scrypt('a', 'b', 64, { N: 2 ** 17, maxmem: 1e9 }, resolve))
    },
    'derives a key by WebCrypto': async () => {
      const key = await webcrypto.subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits'])
      const how = { name: 'PBKDF2', salt: new Uint8Array(8), iterations: 3e6, hash: 'SHA-512' }
      await webcrypto.subtle.deriveBits(how, key, 256)
    },
    'computes in a worker thread': () => {
      const code = 'const end = Date.now() + 1500; while (Date.now() < end);'
      const worker = new Worker(code, { eval: true })
      return new Promise((resolve) => worker.on('exit', resolve))
    },
    'waits for a child process': () => {
      const child = spawn('sleep', ['1.3'], { stdio: 'ignore' })
      return new Promise((resolve) => child.on('exit', resolve))
    },
    'waits for a connection': () =>
      new Promise((resolve) => {
        const listening = createServer().listen(0, () => {
          setTimeout(() => listening.close(resolve), 1300)
        })
      }),
  }
  test.for(Object.keys(slowly))('%s', async (name) => {
    const { findings } = await mock.explore(
      async (context) => {
        await slowly[name]!()
        await context.fetch(`${context.baseUrl}/me`, { headers: { authorization: `Bearer ${context.key}` } })
      },
      { families: ['outcomes'], maxRuns: 1 },
    )
    expect(findings).toEqual([])
  })
})

test.for([
  ['immediates', () => new Promise((resolve) => setImmediate(resolve))],
  ['timers', () => new Promise((resolve) => setTimeout(resolve, 1))],
] as const)('explore ends a client whose %s go on firing without a request', async ([, wait]) => {
  const client = async () => {
    for (;;) await wait()
  }
  await expect(mock.explore(client)).rejects.toThrow(/did not settle/)
})
