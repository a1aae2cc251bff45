// A field of a control is read by its declared type, never by how its text looks.
import { describe, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { queryTypes, routeList } from '../../src/adapters/control-api/table.ts'
import { fieldNamesOf, hasQuery } from '../../src/adapters/control-api/wire.ts'
import { authorization, served } from './support/served.ts'

const mock = createWorkspaceMock()
const server = served(mock)
const texts = [
  '404',
  '1',
  '-0',
  '007',
  '1e3',
  'true',
  'false',
  'null',
  '""',
  '{}',
  '[1]',
  '"x"',
  'undefined',
  'NaN',
]
const ask = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${server.url}/__mock${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('texts that look like numbers, words or JSON', () => {
  it('are searched as they are', async () => {
    for (const text of texts.filter((each) => each !== '""')) {
      mock.reset()
      const json = { 'content-type': 'application/json', authorization }
      const body = JSON.stringify({ list_id: 'lst_support', title: `of ${text} beans` })
      await mock.fetch('/lists/lst_support/tasks', { method: 'POST', headers: json, body })
      const { status, body: found } = await ask('GET', `/console/search?text=${encodeURIComponent(text)}`)
      expect(status, text).toBe(200)
      expect(found, text).toHaveProperty('matches')
      const query = `text=${encodeURIComponent(text)}`
      expect(await ask('GET', `/requests?${query}`), text).toMatchObject({ status: 200 })
      expect(await ask('GET', `/tables/tbl_coffees/rows?search=${encodeURIComponent(text)}`)).toMatchObject({
        status: 200,
      })
    }
  })

  it.each(['1', '404', 'true', 'null', '007'])('can be the name of a sandbox: %s', async (name) => {
    await fetch(`${server.url}/sandboxes/${name}/v1/me`, { headers: { authorization } })
    expect(await ask('GET', `/console/journals?of=${name}`)).toMatchObject({
      status: 200,
      body: { requests: [{ sandbox: name }] },
    })
    expect(await ask('GET', `/console/search?text=me&of=${name}`)).toMatchObject({
      body: { matches: [{ sandbox: name, ids: [1] }] },
    })
    expect(await ask('GET', `/console/requests/1?of=${name}`)).toMatchObject({ status: 200 })
    expect(await ask('GET', `/console/contents?of=${name}`)).toMatchObject({
      body: { contents: [{ sandbox: name }] },
    })
    expect(await ask('DELETE', `/sandboxes/${name}`)).toMatchObject({ status: 200 })
  })

  it.each(['1', '404', 'true', 'null'])('can be the name of a snapshot: %s', async (name) => {
    expect(await ask('PUT', `/snapshots/${name}`)).toMatchObject({ body: { name } })
    expect(await ask('POST', `/snapshots/${name}/restore`)).toMatchObject({ body: { name } })
    expect(await ask('DELETE', `/snapshots/${name}`)).toMatchObject({ status: 200 })
  })

  it.each(['1', '8', 'true', 'null'])('can be ids of tables, rows and tasks: %s', async (id) => {
    const [workspace] = mock.db.workspaces.findMany()
    const table = { id, name: 'T', columns: [{ id: 'col_n', name: 'N', type: 'text' as const }] }
    const rows = [{ id, data: { col_n: 'x' } }]
    mock.seed({
      workspaces: [{ id: workspace!.id, tables: [{ ...table, rows }] }],
      tasks: [{ id, list_id: 'lst_support', title: 'T' }],
    })
    expect(await ask('GET', `/tables/${id}/rows`)).toMatchObject({ body: { total: 1 } })
    expect(await ask('GET', `/tables/${id}/rows/${id}`)).toMatchObject({ body: { total: 1 } })
    expect(await ask('PATCH', `/tables/${id}`, { locked: false })).toMatchObject({ status: 200 })
    expect(
      await ask('PATCH', `/db/rows/${id}`, { table: id, values: { data: { col_n: 'y' } } }),
    ).toMatchObject({
      status: 200,
    })
    expect(await ask('GET', `/tasks/${id}`)).toMatchObject({ body: { task: { id } } })
    expect(await ask('DELETE', `/db/rows/${id}?table=${id}`)).toMatchObject({ status: 200 })
    expect(await ask('DELETE', `/db/tasks/${id}`)).toMatchObject({ status: 200 })
  })
})

describe.each(routeList.map((route) => [route.route, route] as const))('%s', (_, route) => {
  const [method = '', template = ''] = route.route.split(' ')
  it('answers or refuses each text in words', async () => {
    for (const text of texts) {
      const word = encodeURIComponent(text)
      const path = template.replaceAll(/\{\w+\}/g, word)
      const fields = hasQuery(route) ? [undefined, ...fieldNamesOf(route)] : [undefined]
      for (const field of fields) {
        const query = field === undefined ? '' : `?${field}=${word}`
        const response = await fetch(`${server.url}/__mock${path}${query}`, {
          method,
          ...(!hasQuery(route) && {
            body: JSON.stringify(Object.fromEntries(fieldNamesOf(route).map((name) => [name, text]))),
          }),
        })
        const body = await response.text()
        expect([200, 400, 404], `${method} ${path}${query}: ${body}`).toContain(response.status)
      }
    }
  })
})

it('every count, flag and status of a query is a field of a control', () => {
  const known = new Set(
    routeList.flatMap((route) => [...fieldNamesOf(route), ...(route.flag ? [route.flag] : [])]),
  )
  expect(Object.keys(queryTypes).filter((name) => !known.has(name))).toEqual([])
})
