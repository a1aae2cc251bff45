// Whether verify reports whatever a deployment sends, is bounded where connections break, and names what is wrong at times.
import { describe, expect, test } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from 'workspace-api-mock'
import { CannotRun, verify } from 'workspace-api-mock/verify'
import { inProcess } from './support/scrambles.ts'

const fixture = {
  workspaces: [
    {
      id: 'wsp',
      name: 'W',
      keys: [{ key: 'wm_small_master', name: 'master' }],
      members: [{ id: 'mbr', name: 'Ada' }],
      tables: [
        {
          id: 'tbl',
          name: 'T',
          columns: [{ id: 'col', name: 'C', type: 'text' }],
          rows: [
            { id: 'row_a', data: { col: 'a' } },
            { id: 'row_b', data: { col: 'b' } },
          ],
        },
      ],
      spaces: [
        { id: 'spc', name: 'S', lists: [{ id: 'lst', name: 'L', tasks: [{ id: 'tsk', title: 'T' }] }] },
      ],
      forms: [{ id: 'frm', name: 'F', target_type: 'task', target_id: 'lst' }],
    },
  ],
} as const
const small = () => createWorkspaceMock({ fixture, advanceOnPoll: false, journalSize: 0 })
type Fetch = (request: Request) => Promise<Response>
type Wrap = (mock: WorkspaceMock) => Fetch

async function report(wrap: Wrap, options: object = {}) {
  const mock = small()
  return verify({ ...inProcess(mock, 'master'), write: true, har: true, ...options, fetch: wrap(mock) })
}

const json = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }
const levels = 20_000
const bodies: Readonly<Record<string, () => Response>> = {
  null: () => new Response('null', { headers: json }),
  'an array': () => new Response('[]', { headers: json }),
  'an empty object': () => new Response('{}', { headers: json }),
  'a text': () => new Response('"x"', { headers: json }),
  '20,000 levels': () => new Response('['.repeat(levels) + ']'.repeat(levels), { headers: json }),
  HTML: () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } }),
  nothing: () => new Response('', { headers: json }),
  'a cut body': () => new Response('{"rows":[{"id":"x"', { headers: json }),
  'a broken connection': () => Response.error(),
  'a status of its own': () => new Response('{"error":5}', { status: 418, headers: json }),
}
const edits: Readonly<Record<string, (text: string) => string>> = {
  'null among items': (text) => text.replaceAll(/\[(?=[{"])/g, '[null,'),
  'arrays as objects': (text) => text.replaceAll(/\[(?=\{)/g, '{"0":').replaceAll('}]', '}}'),
  'numbers as texts': (text) => text.replaceAll(/:(\d+)/g, ':"$1"'),
  'numbers beyond all times': (text) => text.replaceAll(/:\d{9,}/g, ':1e308'),
  'ids as numbers': (text) => text.replaceAll(/"id":"[^"]*"/g, '"id":7'),
  'no data': (text) => text.replaceAll(/"data":\{[^}]*\}/g, '"data":null'),
}
const isFirst = ({ url }: Request) => url.endsWith('/me')
/** What only a program that broke says. */
const broken =
  /is not iterable|Cannot (?:read|destructure|set|convert)|is not a function|Maximum call|\[object|NaN/

const hostile: readonly (readonly [string, Wrap])[] = [
  ...Object.entries(bodies).flatMap(([name, make]): (readonly [string, Wrap])[] => [
    [
      `${name} for all but GET /me`,
      (mock) => async (request) => (isFirst(request) ? mock.fetch(request) : make()),
    ],
    [
      `${name} for OPTIONS`,
      (mock) => async (request) => (request.method === 'OPTIONS' ? make() : mock.fetch(request)),
    ],
    [
      `${name} for POST`,
      (mock) => async (request) => (request.method === 'POST' ? make() : mock.fetch(request)),
    ],
  ]),
  ...Object.entries(edits).map(([name, edit]): readonly [string, Wrap] => [
    name,
    (mock) => async (request) => {
      const response = await mock.fetch(request)
      if (isFirst(request) || response.status === 204) return response
      const { status, headers } = response
      return new Response(edit(await response.text()), { status, headers })
    },
  ]),
]

describe('verify reports', () => {
  test.for(hostile)('where a deployment sends %s', { timeout: 300_000 }, async ([, wrap]) => {
    const { findings, leftBehind, problem, counts } = await report(wrap)
    const texts = JSON.stringify([
      findings.map(({ why, says, expected }) => [why, says, expected]),
      leftBehind,
      problem,
    ])
    expect(broken.exec(texts)?.[0]).toBeUndefined()
    expect(counts.drift > 0 || problem !== undefined).toBe(true)
  })

  test('only CannotRun is thrown, also for an option of another function', async () => {
    const mock = small()
    const run = verify({ ...inProcess(mock, 'master'), anonymize: true } as Parameters<typeof verify>[0])
    await expect(run).rejects.toThrow(CannotRun)
    await expect(run).rejects.toThrow('options of verify has unknown fields: anonymize')
  })
})

describe('a deployment that is unsteady', () => {
  const quiet = report((mock) => mock.fetch)
  test.for<readonly [string, Wrap]>([
    [
      'every fifth connection broken',
      (mock) => {
        let sent = 0
        return async (request) => ((sent += 1) % 5 === 0 ? Response.error() : mock.fetch(request))
      },
    ],
    [
      'every sixth body cut',
      (mock) => {
        let sent = 0
        return async (request) => {
          const response = await mock.fetch(request)
          if ((sent += 1) % 6 !== 0 || response.status === 204) return response
          const text = await response.text()
          const { status, headers } = response
          return new Response(text.slice(0, text.length / 2), { status, headers })
        }
      },
    ],
  ])('costs three times a quiet run at most: %s', { timeout: 300_000 }, async ([, wrap]) => {
    const { requests, counts, problem } = await report(wrap)
    expect(requests).toBeLessThanOrEqual(3 * (await quiet).requests)
    expect(counts.drift).toBe(0)
    expect(problem).toMatch(/^The deployment was too unsteady for \d+ checks/)
  })

  test('names a listing that lacks its first row one time in five', { timeout: 300_000 }, async () => {
    const { findings } = await report((mock) => {
      let sent = 0
      return async (request) => {
        const response = await mock.fetch(request)
        if (!/\/rows(?:\?|$)/.test(request.url) || request.method !== 'GET' || (sent += 1) % 5 !== 0)
          return response
        const body = await response.json()
        body.rows?.shift()
        return Response.json(body, { status: response.status, headers: response.headers })
      }
    })
    const drift = findings.find(({ outcome, field }) => outcome === 'drift' && field === 'rows')
    expect(drift).toMatchObject({ operation: 'listRows', seen: expect.stringMatching(/^\d of \d$/) })
  })
})
