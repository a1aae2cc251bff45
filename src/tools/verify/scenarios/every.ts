// Scenarios of every operation, from the declarations: keys, unknown ids, bodies that are not JSON, CORS preflights.
import { listPathParameters, fillPath } from '../../../contract/operation.ts'
import { operationList, type Operation } from '../../../contract/index.ts'
import { makePlausibleBody, makePlausibleJson } from '../engine/bodies.ts'
import { isWrite } from '../engine/client.ts'
import { origin } from '../engine/transport.ts'
import { unknownId, type Params } from '../engine/ledger.ts'
import { spaceNameOf } from '../engine/start.ts'
import { reading, writing, type Scenario, type ScenarioContext } from '../twin/scenario.ts'
import { requireValue } from '../engine/stop.ts'
import { resolveParams } from './records.ts'

const scenariosFor = (operation: Operation) => (isWrite(operation.id) ? writing : reading)

const unknownParamsOf = ({ path }: Operation): Params =>
  Object.fromEntries(listPathParameters(path).map((name) => [name, unknownId]))

/** Without a body and with unknown ids, a request whose key is accepted does no harm. */
const tryKeys = (operation: Operation): Scenario[] => {
  const { id } = operation
  const params = unknownParamsOf(operation)
  return scenariosFor(operation)('contract, Authentication', {
    [`${id}/missing-key: responds with 401 without a key`]: (ctx) => ctx.call(id, { params, key: null }),
    [`${id}/wrong-key: responds with 401 to a key that differs in its last character`]: (ctx) =>
      ctx.call(id, { params, key: ctx.api.transport.similarKey }),
  })
}

/** Ids that exist, for the parameters of a path before the last. */
const parents: Readonly<Record<string, (ctx: ScenarioContext) => string>> = {
  tableId: ({ known }) => requireValue(known.tables[0], 'the workspace has no table').id,
  taskId: ({ known }) => requireValue(known.lists.flatMap(({ tasks }) => tasks)[0], 'no list has tasks').id,
}

const tryUnknownIds = (operation: Operation): Scenario[] => {
  const { id, path, documentedErrors } = operation
  const names = listPathParameters(path).filter((name) => name !== 'key')
  const source = documentedErrors.includes(404) ? 'contract, Endpoints' : 'assumption generalStatuses'
  return names.flatMap((name, index) =>
    scenariosFor(operation)(source, {
      [`${id}/unknown-${name}: responds with 404 where ${name} does not exist`]: async (ctx) => {
        const params: Record<string, string> = { ...unknownParamsOf(operation) }
        for (const parent of names.slice(0, index)) params[parent] = parents[parent]?.(ctx) ?? unknownId
        await ctx.call(id, { params, ...makePlausibleBody(id) })
      },
    }),
  )
}

const tryInvalidJson = (operation: Operation) =>
  writing('assumption generalStatuses', {
    [`${operation.id}/no-json: a body that is not JSON is refused`]: async (ctx) => {
      const { id } = operation
      const params = await resolveParams(ctx, id)
      const headers = { 'content-type': 'application/json' }
      for (const body of ['{"verify', '']) await ctx.call(id, { params, body, headers })
      ctx.says('JSON with another content type', 'assumption contentType')
      // The name marks a space that an interrupted run leaves behind.
      const body = JSON.stringify(makePlausibleJson(id, spaceNameOf(ctx.marker)))
      if (id.startsWith('update') || id === 'queryRows')
        await ctx.call(id, { params, body, headers: { 'content-type': 'text/plain' } })
    },
  })

/** Headers of a preflight's response with what is expected, and the values that hold it; a star is every header but Authorization. */
const allowances = (method: string) =>
  [
    ['methods', method, ['*', method.toLowerCase()]],
    ['origin', 'the origin, or *', ['*', origin]],
    ['headers', 'authorization', ['authorization']],
    ['headers', 'content-type', ['content-type', '*']],
  ] as const

const tryPreflight = ({ id, method, path }: Operation) =>
  reading('contract, What the service does, 2', {
    [`${id}/preflight: browsers from any origin can send it, with Authorization and Content-Type`]: async (
      ctx,
    ) => {
      const { transport } = ctx.api
      const headers = {
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      }
      const url = transport.baseUrl + fillPath(path, () => unknownId)
      const reply = await transport.send('OPTIONS', url, { key: null, headers })
      ctx.judged.add(id)
      if (!reply.isSuccess) ctx.differ(id, 'status', 'a success of the preflight', reply.summary, 'header')
      for (const [name, expected, allowed] of allowances(method)) {
        const header = `access-control-allow-${name}`
        const given = reply.headers.get(header)
        const names = (given ?? '').toLowerCase().split(/\s*,\s*/)
        if (!names.some((one) => allowed.some((other) => other === one)))
          ctx.differ(id, header, expected, given, 'header')
      }
    },
  })

export const everyScenarios: readonly Scenario[] = [
  ...reading('contract, Authentication', {
    'getIdentity/key-forms: a key is sent as a bearer token': async (ctx) => {
      for (const authorization of ['Bearer ', 'Bearer'])
        await ctx.call('getIdentity', { key: null, headers: { authorization } })
      for (const scheme of ['Basic ', '']) await ctx.call('getIdentity', { scheme })
    },
  }),
  ...reading('assumption checkOrder', {
    'getIdentity/unknown-path: what is no operation gets 404, with an error': async (ctx) => {
      const { api } = ctx
      ctx.judged.add('getIdentity')
      for (const [method, path] of [
        ['GET', '/verify-no-such-path'],
        ['PUT', '/me'],
      ] as const) {
        const reply = await api.transport.send(method, api.transport.baseUrl + path)
        api.judge.check(undefined, reply)
        if (reply.status !== 404) ctx.differ('getIdentity', 'status', 404, reply.status, 'status')
      }
    },
  }),
  ...operationList.flatMap((operation) => [
    ...tryKeys(operation),
    ...tryPreflight(operation),
    ...tryUnknownIds(operation),
    ...(operation.body?.json ? tryInvalidJson(operation) : []),
  ]),
]
