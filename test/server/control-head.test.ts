// HEAD on the control API: the response of GET without the body.
import { expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { allRoutes } from '../../src/adapters/server/control-routes.ts'
import { served } from './support/served.ts'

const mock = createWorkspaceMock()
const server = served(mock)

const getRoutes = [...new Set(allRoutes.map(({ route }) => route))]
  .filter((route) => route.startsWith('GET ') && route !== 'GET /events')
  .map((route) => route.slice(4).replace(/\{\w+\}/g, 'none'))

it.each(['/', ...getRoutes])('HEAD /__mock%s answers what GET answers, without a body', async (path) => {
  const [get, head] = [
    await fetch(`${server.url}/__mock${path}`),
    await fetch(`${server.url}/__mock${path}`, { method: 'HEAD' }),
  ]
  const kept = ({ status, headers }: Response) => [
    status,
    headers.get('content-type'),
    headers.get('content-length'),
  ]
  expect(kept(head)).toEqual(kept(get))
  expect(await head.text()).toBe('')
})

it('HEAD /__mock/events answers 200 and ends', async () => {
  const response = await fetch(`${server.url}/__mock/events`, { method: 'HEAD' })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(await response.text()).toBe('')
})

it('HEAD /__mock/reset answers 404, and nothing is reset', async () => {
  await mock.fetch('/me')
  expect((await fetch(`${server.url}/__mock/reset`, { method: 'HEAD' })).status).toBe(404)
  expect(mock.requests()).toHaveLength(1)
})
