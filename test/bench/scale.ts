// Measures the cost of one more: a server, a test worker with its own mock, a mock within a worker.
import type { Bench, Figure } from './measuring/figure.ts'
import { mib, ms } from './measuring/figure.ts'
import { sample } from './measuring/measure.ts'
import { packageEntry, printed } from './measuring/own-process.ts'

const rss = 'console.log(process.memoryUsage().rss)'
const bareServer = `
  const { createServer } = await import('node:http')
  createServer(() => {}).listen(0, '127.0.0.1', () => { ${rss}; process.exit() })`
const server = () => `
  const { createWorkspaceMock } = await import(${packageEntry('index.js')})
  const { serve } = await import(${packageEntry('node.js')})
  await serve(createWorkspaceMock())
  ${rss}; process.exit()`
/** Heap per mock, measured over 100 mocks after a first one, which loads shared code. */
const mocks = () => `
  const { createWorkspaceMock } = await import(${packageEntry('index.js')})
  createWorkspaceMock()
  gc(); const before = process.memoryUsage().heapUsed
  globalThis.kept = Array.from({ length: 100 }, () => createWorkspaceMock())
  gc(); console.log((process.memoryUsage().heapUsed - before) / 100)`
const worker = (measured: string) => `
  gc(); const before = process.memoryUsage().heapUsed; const start = performance.now()
  const { createWorkspaceMock } = await import(${packageEntry('index.js')})
  globalThis.kept = createWorkspaceMock()
  ${measured}`
const took = 'console.log(performance.now() - start)'
const held = 'gc(); console.log(process.memoryUsage().heapUsed - before)'

export const scale: Bench = {
  name: 'scale',
  title: 'What one more server, worker or mock costs',
  async run(): Promise<readonly Figure[]> {
    const inProcess = (script: string) => () => printed(script, '--expose-gc')
    const medians = await sample(
      {
        bareServer: inProcess(bareServer),
        server: inProcess(server()),
        workerMs: inProcess(worker(took)),
        workerBytes: inProcess(worker(held)),
        mock: inProcess(mocks()),
      },
      5,
    )
    const {
      bareServer: bare = NaN,
      server: own = NaN,
      workerMs = NaN,
      workerBytes = NaN,
      mock = NaN,
    } = medians
    return [
      {
        work: 'memory of one more server (fixture demo)',
        figure: mib(own),
        limit: `bare node:http: ${mib(bare)}`,
      },
      { work: 'import and first mock in one more worker', figure: ms(workerMs), ours: mib(workerBytes) },
      { work: 'one more mock of the same fixture', figure: `${(mock / 1024).toFixed(0)} KiB` },
    ]
  },
}
