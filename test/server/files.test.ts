// Files sent to the control API: CSV as text and as bytes, and bytes that are not in the encoding they claim.
import { beforeEach, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { served } from './support/served.ts'

const mock = createWorkspaceMock()
const server = served(mock)
beforeEach(() => mock.reset())

async function send(method: string, path: string, contentType: string, body: string | Uint8Array) {
  const response = await fetch(`${server.url}/__mock${path}`, {
    method,
    headers: { 'content-type': contentType },
    body: body as BodyInit,
  })
  return { status: response.status, json: await response.json() }
}
const addRows = (contentType: string, body: string | Uint8Array, query = '') =>
  send('POST', `/tables/tbl_cuppings/rows${query}`, contentType, body)
const samples = () =>
  mock.db
    .rows('tbl_cuppings')
    .findMany()
    .map(({ data }) => data.col_sample)
const latin = (text: string) => Buffer.from(text, 'latin1')

it.each<[string, string, string | Uint8Array]>([
  ['JSON', 'application/json', JSON.stringify({ file: 'a.csv', text: 'Sample,Nope\nZoë €,1\n' })],
  ['UTF-8', 'text/csv', 'Sample,Nope\nZoë €,1\n'],
  ['UTF-16', 'text/csv', Buffer.from('\uFEFFSample;Nope\r\nZoë €;1\r\n', 'utf16le')],
  ['windows-1252', 'text/csv; charset=windows-1252', latin('Sample,Nope\nZo\xEB \x80,1\n')],
])('POST tables/{id}/rows answers 200 and adds rows of CSV in %s', async (_, contentType, body) => {
  const { status, json } = await addRows(contentType, body)
  expect(json).toEqual({ added: 1, ignored: ['Nope'] })
  expect(status).toBe(200)
  expect(samples()).toEqual(['Zoë €'])
})

it.each<[string, string, string | Uint8Array, string, string]>([
  [
    'bytes that are not UTF-8',
    'text/csv',
    latin('Sample\nZo\xEB\n'),
    '?file=a.csv',
    'a.csv, line 2, column 3 is not UTF-8',
  ],
  ['an unknown charset', 'text/csv; charset=utf9', 'Sample\n', '', 'received "utf9", the nearest is utf-8'],
  ['no known column', 'text/csv', 'Apple,Pear\n1,2\n', '', 'body, line 1 names "Apple", "Pear"'],
  ['an empty file', 'text/csv', '', '', 'body, line 1 must have column names'],
])(
  'POST tables/{id}/rows answers 400 and adds nothing with %s',
  async (_, contentType, body, query, message) => {
    const { status, json } = await addRows(contentType, body, query)
    expect(json.error).toContain(message)
    expect(status).toBe(400)
    expect(samples()).toEqual([])
  },
)

it('POST seed answers 400 and adds nothing when its JSON is not UTF-8', async () => {
  const text =
    '{"workspaces":[{"tables":[{"id":"tbl_cuppings",\n"rows":[{"data":{"col_sample":"Zo\xEB"}}]}]}]}'
  const { status, json } = await send('POST', '/seed', 'application/json', latin(text))
  expect(json.error).toContain('body, line 2, column 34 is not UTF-8')
  expect(status).toBe(400)
  expect(samples()).toEqual([])
})
