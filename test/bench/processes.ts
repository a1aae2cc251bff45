// Measures what a fresh process pays: importing the package, starting the server, holding rows.
import { spawn } from 'node:child_process'
import type { Bench } from './measuring/figure.ts'
import { mib, ms } from './measuring/figure.ts'
import { Connection, requestText } from './measuring/http-client.ts'
import { sample } from './measuring/measure.ts'
import { fixtureFile, packageEntry, printed } from './measuring/own-process.ts'
import { authorization, largeFixture } from './rows.ts'
import { bareScript, cliScript, freePort } from './measuring/servers.ts'

const importMs = (specifier: string) =>
  printed(
    `const start = performance.now(); await import(${specifier}); console.log(performance.now() - start)`,
  )

export const imports: Bench = {
  name: 'import',
  title: 'Importing the package in a fresh process',
  async run() {
    const medians = await sample(
      { msw: () => importMs('"msw"'), own: () => importMs(packageEntry('index.js')) },
      15,
    )
    const { msw = NaN, own = NaN } = medians
    return [
      {
        work: 'importing the package in a fresh process',
        figure: own / msw,
        target: '<= 0.25',
        ours: ms(own),
        limit: `importing msw: ${ms(msw)}`,
      },
    ]
  },
}

async function answers(port: number, path: string): Promise<boolean> {
  try {
    const connection = await Connection.open(port)
    const status = await connection.send(requestText('GET', path, { authorization: 'Bearer wm_demo_master' }))
    connection.close()
    return status > 0
  } catch {
    return false
  }
}

async function coldStart(
  script: string,
  args: (port: number) => readonly string[],
  path: string,
): Promise<number> {
  const port = await freePort()
  const start = performance.now()
  const child = spawn(process.execPath, [script, ...args(port)], { stdio: 'ignore' })
  while (!(await answers(port, path))) await new Promise((resolve) => setTimeout(resolve, 2))
  const took = performance.now() - start
  child.kill('SIGKILL')
  return took
}

export const coldStarts: Bench = {
  name: 'cold-start',
  title: 'From starting the server to its first response',
  async run() {
    const medians = await sample(
      {
        bare: () => coldStart(bareScript(), (port) => [String(port), '0'], '/v1/none'),
        own: () => coldStart(cliScript(), (port) => ['serve', '--port', String(port), '--quiet'], '/v1/me'),
      },
      15,
    )
    const { bare = NaN, own = NaN } = medians
    return [
      {
        work: 'cold start of the standalone server (fixture demo) to its first response',
        figure: own / bare,
        target: '<= 2.2',
        ours: ms(own),
        limit: `bare node:http: ${ms(bare)}`,
      },
    ]
  },
}

/** Bytes of memory taken by what a script makes from its input. */
const heapOf = (read: string, make: string) =>
  printed(
    `import { readFileSync } from 'node:fs'
    const { createWorkspaceMock } = await import(${packageEntry('index.js')})
    const settle = () => { for (let i = 0; i < 4; i++) gc(); const { heapUsed, arrayBuffers } = process.memoryUsage(); return heapUsed + arrayBuffers }
    createWorkspaceMock({ fixture: 'empty' })
    const read = () => ${read}
    const make = async (input) => { ${make} }
    const before = settle()
    globalThis.kept = await make(read())
    console.log(settle() - before)`,
    '--expose-gc',
    '--max-old-space-size=8192',
  )

const requestsTo = (mock: string) => `
  const headers = { authorization: '${authorization}' }
  for (let i = 0; i < 20000; i++)
    await ${mock}.fetch(new Request(${mock}.baseUrl + '/datatables/tbl_customers/rows/row_000' + (10 + (i % 80)), { headers }))`

/** 100 requests with bodies of 50 KB in each of 40 sandboxes. */
const sendingBodies = (options: object) => `
  const mock = createWorkspaceMock(${JSON.stringify({ fixture: 'demo', limits: { requestsPerMonth: null }, ...options })})
  for (let i = 0; i < 4000; i++) {
    const headers = { authorization: 'Bearer ' + mock.keys.master, 'x-mock-sandbox': 's' + (i % 40), 'content-type': 'application/json' }
    const body = JSON.stringify({ title: 'x'.repeat(50000) + i })
    await mock.fetch('/tasks/none', { method: 'PATCH', headers, body })
  }
  return mock`

export const memory: Bench = {
  name: 'memory',
  title: 'Memory of rows, sandboxes and journal',
  run() {
    const file = (count: number) => fixtureFile(`rows-${String(count)}`, largeFixture(count))
    const rowMemory = (count: number) => {
      const read = file(count)
      const array = heapOf(
        read,
        'return input.workspaces[0].tables[0].rows.map(({ id, data, created_at }) => ({ id, version: 1, created_at, updated_at: created_at, data }))',
      )
      const own = heapOf(read, 'return createWorkspaceMock({ fixture: input })')
      return {
        work: `memory of ${count.toLocaleString('en')} rows`,
        figure: own / array,
        target: '<= 1.1',
        ours: mib(own),
        limit: `the same objects in an array: ${mib(array)}`,
      }
    }
    const few = file(1000)
    const bodies = heapOf('null', sendingBodies({})) - heapOf('null', sendingBodies({ journalBytes: 0 }))
    const without = heapOf(
      few,
      `const mock = createWorkspaceMock({ fixture: input, journalSize: 0 });${requestsTo('mock')}; return mock`,
    )
    const journal = heapOf(
      few,
      `const mock = createWorkspaceMock({ fixture: input, journalSize: 10000 });${requestsTo('mock')}; return mock`,
    )
    const sandboxes = heapOf(
      'null',
      `const mock = createWorkspaceMock()
       for (let i = 0; i < 1000; i++) {
         const headers = { authorization: 'Bearer wm_demo_master', 'x-mock-sandbox': 's' + i }
         await mock.fetch(new Request(mock.baseUrl + '/me', { headers }))
       }
       return mock`,
    )
    const one = heapOf('null', 'return createWorkspaceMock()')
    return Promise.resolve([
      rowMemory(50_000),
      {
        work: 'memory of bodies in all journals, after 200 MB in 40 sandboxes',
        figure: mib(bodies),
        target: '<= 64 MiB',
      },
      {
        work: 'memory of 10,000 journal entries (one row read each)',
        figure: mib(journal - without),
        ours: `${String(Math.round((journal - without) / 10_000))} bytes per entry`,
      },
      {
        work: 'memory of 1,000 sandboxes of the demo fixture, one request each',
        figure: mib(sandboxes - one),
        ours: `${((sandboxes - one) / 1_024_000).toFixed(1)} KiB per sandbox`,
      },
    ])
  },
}
