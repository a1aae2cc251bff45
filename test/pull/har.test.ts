// Recordings in the shapes that tools write: what each omits, encodes or reorders, and what is counted.
import { describe, expect, it } from 'vitest'
import { CannotRun, pull } from '../../src/verify.ts'

const url = (path: string) => `https://api.example.com/v1${path}`
const json = (value: unknown) => JSON.stringify(value)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const spaces = (name: string) =>
  json({
    spaces: [{ id: 'space_1', name, color: '#111111', icon: 'box', default_list_id: 'list_1', lists: [] }],
  })

/** An entry as Chrome writes it, with other fields on request. */
function entryOf(path: string, text: string | undefined, more: Record<string, any> = {}): any {
  const { request = {}, response = {}, content = {}, ...rest } = more
  return {
    startedDateTime: '2026-01-05T10:00:00.000Z',
    time: 12.5,
    request: { method: 'GET', url: url(path), httpVersion: 'http/2.0', headers: [], ...request },
    response: {
      status: 200,
      statusText: '',
      headers: [],
      ...response,
      content: { size: 9, mimeType: 'application/json', ...(text !== undefined && { text }), ...content },
    },
    ...rest,
  }
}
const pullOf = (...entries: unknown[]) => pull({ har: { log: { version: '1.2', entries } } })
async function spaceIn(...entries: unknown[]) {
  const { fixture, missing } = await pullOf(...entries)
  expect(missing).toEqual([])
  return fixture.workspaces[0]!.spaces!.map(({ name }) => name)
}

describe('pull of a recording', () => {
  it.each<[string, any]>([
    ['a header with the value null', { request: { headers: [{ name: 'authorization', value: null }] } }],
    ['headers that are no list', { request: { headers: {} } }],
    ['a header that is null', { request: { headers: [null, { name: 'a' }] } }],
    ['a method in lower case', { request: { method: 'get' } }],
    ['a status as text', { response: { status: '200' } }],
    ['no time', { startedDateTime: null }],
    ['a time that is a number', { startedDateTime: 1_767_607_200_000 }],
    ['no headers, cookies and sizes', { request: { headers: undefined }, response: { headers: undefined } }],
    ['a status 304', { response: { status: 304 } }],
    ['a port in the address', { request: { url: 'https://api.example.com:443/v1/spaces' } }],
    [
      'a path as address',
      { request: { url: '/v1/spaces', headers: [{ name: 'Host', value: 'api.example.com' }] } },
    ],
    ['a body in base64', { content: { text: base64(spaces('A')), encoding: 'base64' } }],
    ['a body in base64 with another name', { content: { text: base64(spaces('A')), encoding: 'Base64' } }],
    ['a body in base64 without encoding', { content: { text: base64(spaces('A')) } }],
    ['a body of lines in base64', { content: { text: base64(spaces('A')).replaceAll(/.{20}/g, '$&\r\n') } }],
    ['a body that is not in the base64 it claims', { content: { encoding: 'base64' } }],
    ['a byte order mark in the body', { content: { text: `\uFEFF${spaces('A')}` } }],
  ])('reads a response with %s', async (_, more) => {
    expect(await spaceIn(entryOf('/spaces', spaces('A'), more))).toEqual(['A'])
  })

  it.each([
    ['2026-01-05T10:00:00Z', '2026-01-05T10:00:00.500Z'],
    ['2026-01-05T10:00:00.5Z', '2026-01-05T10:00:00.51Z'],
    ['2026-01-05T10:00:00.1234567Z', '2026-01-05T10:00:00.1234568Z'],
    ['2026-01-05T11:30:00+02:00', '2026-01-05T10:00:00Z'],
    ['2026-01-05T10:00:00Z', '2026-01-05T09:00:01-0500'],
    ['2026-10-25T02:59:59+02:00', '2026-10-25T02:00:00+01:00'],
    ['2026-01-05T10:00:00Z', '2026-01-05T10:00:00.000Z'],
  ])('takes the response of %s for older than that of %s', async (older, newer) => {
    const first = entryOf('/spaces', spaces('Older'), { startedDateTime: older })
    const second = entryOf('/spaces', spaces('Newer'), { startedDateTime: newer })
    expect(await spaceIn(first, second)).toEqual(['Newer'])
    // Entries with equal times keep the order of the file.
    if (Date.parse(older) !== Date.parse(newer) || older.includes('.1234567'))
      expect(await spaceIn(second, first)).toEqual(['Newer'])
  })

  it.each<[string, any, string]>([
    ['no body', entryOf('/lists', undefined), 'A response to listLists was recorded without its body'],
    [
      'half a body',
      entryOf('/lists', '{"lists":[{'),
      'A response to listLists was recorded with an incomplete body',
    ],
    [
      'no response',
      entryOf('/lists', undefined, { response: { status: 0 } }),
      'A response to listLists is missing',
    ],
    [
      '304 without a text',
      entryOf('/lists', undefined, { response: { status: 304 } }),
      'A response to listLists came from a cache and was recorded without its body',
    ],
    [
      'a file that is not there',
      entryOf('/lists', undefined, { content: { _file: 'a.json' } }),
      'A response to listLists has its body in a file that is missing',
    ],
    [
      'no method',
      { request: { url: url('/lists') } },
      'An entry of the recording has no method or no valid address',
    ],
  ])('counts a response with %s as missing', async (_, entry, why) => {
    const { missing } = await pullOf(entryOf('/spaces', spaces('A')), entry, structuredClone(entry))
    expect(missing.map(({ text }) => text)).toEqual([`${why} (2 times)`])
  })

  it('counts what it leaves out by reason, without taking it for missing', async () => {
    const { missing, unseen } = await pullOf(
      entryOf('/spaces', spaces('A')),
      entryOf('/spaces', undefined, { response: { status: 304 } }),
      entryOf('/spaces', '{}', { response: { status: 429 } }),
      entryOf('/nothing', '{}'),
      entryOf('', '', { request: { url: 'https://app.example.com/index.html' } }),
    )
    expect(missing).toEqual([])
    expect(unseen).toContain('1 response with status 304 skipped: an earlier response has the content.')
    expect(unseen).toContain('1 response with status 429 skipped.')
    expect(unseen).toContain('2 requests skipped: no matching operation in this API.')
  })

  it.each<[string, any[], string]>([
    [
      'without bodies',
      [entryOf('/spaces', undefined), entryOf('/lists', undefined)],
      'listSpaces was recorded without its body',
    ],
    [
      'of errors alone',
      [entryOf('/spaces', '{}', { response: { status: 500 } })],
      '1 response with status 500 skipped',
    ],
    ['without requests', [null, {}], 'has no method or no valid address (2 times)'],
  ])('rejects a recording %s with CannotRun and the reasons', async (_, entries, message) => {
    await expect(pullOf(...entries)).rejects.toThrow(CannotRun)
    await expect(pullOf(...entries)).rejects.toThrow(message)
  })

  it('knows what was deleted, with or without a body', async () => {
    const deletion = entryOf('/tasks/task_1', undefined, {
      request: { method: 'DELETE' },
      response: { status: 204 },
    })
    const { missing } = await pullOf(entryOf('/spaces', spaces('A')), deletion)
    expect(missing).toEqual([])
  })
})
