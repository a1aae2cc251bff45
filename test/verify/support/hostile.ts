// Deployments of a small workspace that send what no client expects, and the report of a run against each.
import { expect } from 'vitest'
import { createWorkspaceMock, type WorkspaceMock } from 'workspace-api-mock'
import { verify } from 'workspace-api-mock/verify'
import { inProcess } from './scrambles.ts'

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
/** Keeps runs from sending megabytes. */
const answers = { maxFileBytes: { pro: 4096 } }
export const small = () => createWorkspaceMock({ fixture, answers, advanceOnPoll: false, journalSize: 0 })
export type Fetch = (request: Request) => Promise<Response>
export type Wrap = (mock: WorkspaceMock) => Fetch

export async function report(wrap: Wrap, options: object = {}) {
  const mock = small()
  return verify({
    ...inProcess(mock, 'master'),
    write: true,
    har: true,
    answers,
    ...options,
    fetch: wrap(mock),
  })
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
/** Messages that only a crashed program prints. */
const broken =
  /verify itself failed|is not iterable|Cannot (?:read|destructure|set|convert)|is not a function|Maximum call|\[object|NaN/

export const hostile: readonly (readonly [string, Wrap])[] = [
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

/** Expects a report that says what is wrong with the deployment, and no sign of a crash. */
export async function expectReport(wrap: Wrap, options: object = {}) {
  const { findings, leftBehind, problem, counts } = await report(wrap, options)
  const texts = JSON.stringify([
    findings.map(({ why, says, expected }) => [why, says, expected]),
    leftBehind,
    problem,
  ])
  expect(broken.exec(texts)?.[0]).toBeUndefined()
  expect(counts.drift > 0 || problem !== undefined).toBe(true)
}
