// Measures whether a request's cost depends on its operation.
import { setupServer } from 'msw/node'
import { operationList } from '../../src/contract/index.ts'
import type { Bench } from './measuring/figure.ts'
import { ms } from './measuring/figure.ts'
import { compare, median } from './measuring/measure.ts'
import { importPackage } from './package.ts'

export const dispatch: Bench = {
  name: 'dispatch',
  title: 'Each of the 42 operations',
  async run() {
    const { createWorkspaceMock } = await importPackage()
    const mock = createWorkspaceMock({ fixture: 'empty' })
    const server = setupServer(...mock.handlers)
    server.listen()
    // Without a key, every operation responds with the same 401, so only the time to find the operation differs.
    const contenders = operationList.map(({ id, method, path }) => {
      const url = mock.baseUrl + path.replace(/\{\w+\}/g, 'id_000001')
      return {
        name: id,
        start: () => mock.reset(),
        run: async () => {
          const response = await fetch(url, { method })
          if (response.status !== 401) throw new Error(`${id} answered ${String(response.status)}`)
        },
      }
    })
    const timings = await compare(contenders, { rounds: 40, calls: 30 })
    server.close()
    const sorted = timings.toSorted((a, b) => a.ratio - b.ratio)
    const [fastest] = sorted
    const slowest = sorted.at(-1)
    return [
      {
        work: 'slowest operation against the fastest, through `setupServer`',
        figure: (slowest?.ratio ?? NaN) / (fastest?.ratio ?? NaN),
        target: '<= 1.15',
        ours: `${slowest?.name ?? ''}: ${ms(slowest?.p50Ms ?? NaN)}`,
        limit: `${fastest?.name ?? ''}: ${ms(fastest?.p50Ms ?? NaN)}; median of the 42: ${ms(median(timings.map(({ p50Ms }) => p50Ms)))}`,
      },
    ]
  },
}
