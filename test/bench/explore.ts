// Measures a run of mock.explore with state comparison, against the same scenario on mock.fetch with a reset.
import { consoleControlsOf } from '../../src/adapters/control-api/console-controls.ts'
import type { Bench } from './measuring/figure.ts'
import { ms } from './measuring/figure.ts'
import { median } from './measuring/measure.ts'
import { importPackage } from './package.ts'

const rounds = 5
const comments = 20

interface Connection {
  readonly baseUrl: string
  readonly key: string
  readonly fetch: typeof fetch
}

/** Creates a task with comments; a request that fails is repeated once. */
async function scenario({ baseUrl, key, fetch }: Connection, listId: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const send = async (path: string, body: unknown) => {
    const post = () => fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const response = await post().then((first) => (first.ok ? first : post()), post)
    return (await response.json()) as { id: string }
  }
  const { id } = await send(`/lists/${listId}/tasks`, { title: 'Cupping' })
  for (let n = 0; n < comments; n++) await send(`/tasks/${id}/comments`, { content: `Note ${String(n)}` })
}

export const explore: Bench = {
  name: 'explore',
  title: 'A run of mock.explore',
  async run() {
    const { createWorkspaceMock } = await importPackage()
    const mock = createWorkspaceMock()
    const listId = consoleControlsOf(mock).inspect.overview().workspaces[0]?.lists[0]?.id ?? ''
    const fetch: Connection['fetch'] = (input, init) => mock.fetch(new Request(input, init))
    const connection = { baseUrl: mock.baseUrl, key: mock.keys.master ?? '', fetch }
    const explored: number[] = []
    const plain: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const began = performance.now()
      const { runs } = await mock.explore((context) => scenario(context, listId), { families: ['errors'] })
      const between = performance.now()
      for (let run = 0; run < runs; run++) {
        await scenario(connection, listId)
        mock.reset()
      }
      const ended = performance.now()
      if (round === 0) continue
      explored.push((between - began) / runs)
      plain.push((ended - between) / runs)
    }
    return [
      {
        work: `a run of \`explore\` of ${String(comments + 1)} writes, comparing state`,
        figure: median(explored.map((value, round) => value / (plain[round] ?? NaN))),
        target: '<= 1.6',
        ours: ms(median(explored)),
        limit: `the same scenario on \`mock.fetch\` and a \`reset()\`: ${ms(median(plain))}`,
      },
    ]
  },
}
