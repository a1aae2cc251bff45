// Scenarios generated for every operation: keys, unknown ids, bodies that are not JSON, CORS preflights.
import { getOrInsert } from '../../../contract/data/maps.ts'
import { isWrite } from '../../../contract/scopes.ts'
import { listPathParameters, fillPath } from '../../../contract/operation.ts'
import { operationList, operations, type Operation, type OperationId } from '../../../contract/index.ts'
import { resourceOf } from '../compare/difference.ts'
import { origin } from '../../deployment/transport.ts'
import { unknownId, type Params } from '../../deployment/ledger.ts'
import { spaceNameOf } from '../../deployment/start.ts'
import { reading, writing, type Scenario, type ScenarioContext } from '../twin/player.ts'
import { requireValue } from '../../deployment/stop.ts'
import { resolveParams } from './records.ts'
import { makePlausibleBody, makePlausibleJson } from './values.ts'

/** Existing ids for path parameters before the last. */
const parents: Readonly<Record<string, (ctx: ScenarioContext) => string>> = {
  tableId: ({ known }) => requireValue(known.tables[0], 'the workspace has no tables').id,
  taskId: ({ known }) => requireValue(known.lists.flatMap(({ tasks }) => tasks)[0], 'no list has tasks').id,
}

const tryInvalidJson = (id: OperationId) =>
  writing('assumption generalStatuses', {
    [`${id}/no-json!: a body that is not JSON is refused`]: async (ctx) => {
      const params = await resolveParams(ctx, id)
      const headers = { 'content-type': 'application/json' }
      for (const body of ['{"verify', '']) await ctx.call(id, { params, body, headers })
      ctx.says('JSON sent with a content type other than application/json', 'assumption contentType')
      // The name identifies a space that an interrupted run leaves behind.
      const body = JSON.stringify(makePlausibleJson(id, spaceNameOf(ctx.marker)))
      if (id.startsWith('update') || id === 'queryRows')
        await ctx.call(id, { params, body, headers: { 'content-type': 'text/plain' } })
    },
  })

function tryPreflight(id: OperationId): Scenario[] {
  const { method, path } = operations[id]
  return reading('contract, What the service does, 2', {
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
      if (!reply.isSuccess) ctx.differ(id, 'status', 'a successful preflight', reply.summary, 'header')
      // A star covers every header except Authorization.
      for (const [name, expected, ...allowed] of [
        ['methods', method, '*', method.toLowerCase()],
        ['origin', 'the origin, or *', '*', origin],
        ['headers', 'authorization', 'authorization'],
        ['headers', 'content-type', 'content-type', '*'],
      ] as const) {
        const header = `access-control-allow-${name}`
        const given = reply.headers.get(header)
        const shown = (given ?? '').toLowerCase().split(/\s*,\s*/)
        if (!allowed.some((one) => shown.includes(one))) ctx.differ(id, header, expected, given, 'header')
      }
    },
  })
}

/**
 * Operations that deployments tend to implement together: same method and resource, such as `getTask` and
 * `listTasks`.
 */
const alike = new Map<string, OperationId[]>()
for (const { id, method } of operationList)
  getOrInsert(alike, `${method} ${resourceOf(id)} ${String(isWrite(id))}`, (): OperationId[] => []).push(id)
const firsts = new Set([...alike.values()].map(([id]) => id))
const lasts = new Set([...alike.values()].map((ids) => ids.at(-1)))

export const everyScenarios: readonly Scenario[] = [
  ...reading('contract, Authentication', {
    'getIdentity/key-forms!: a key is sent as a bearer token': async (ctx) => {
      for (const authorization of ['Bearer ', 'Bearer'])
        await ctx.call('getIdentity', { key: null, headers: { authorization } })
      for (const scheme of ['Basic ', '']) await ctx.call('getIdentity', { scheme })
    },
  }),
  ...reading('assumption checkOrder', {
    'getIdentity/unknown-path: a request that matches no operation gets 404 with an error': async (ctx) => {
      const { api } = ctx
      ctx.judged.add('getIdentity')
      for (const [method, path] of [
        ['GET', '/verify-no-such-path'],
        ['PUT', '/me'],
      ] as const) {
        const reply = await api.transport.send(method, api.transport.baseUrl + path)
        api.watcher.see(undefined, reply)
        if (reply.status !== 404) ctx.differ('getIdentity', 'status', 404, reply.status, 'status')
      }
    },
  }),
  ...operationList.flatMap(({ id, path, documentedErrors, body: { json } = {} }: Operation) => {
    const scenariosFor = isWrite(id) ? writing : reading
    const all = listPathParameters(path)
    const params: Params = Object.fromEntries(all.map((name) => [name, unknownId]))
    const names = all.filter((name) => name !== 'key')
    return [
      // With unknown ids and no body, the request does no harm if the key is accepted.
      ...(lasts.has(id)
        ? scenariosFor('contract, Authentication', {
            [`${id}/missing-key!: responds with 401 without a key`]: (ctx) =>
              ctx.call(id, { params, key: null }),
          })
        : []),
      ...(firsts.has(id)
        ? scenariosFor('contract, Authentication', {
            [`${id}/wrong-key!: responds with 401 to a key that differs in its last character`]: (ctx) =>
              ctx.call(id, { params, key: ctx.api.transport.similarKey }),
          })
        : []),
      ...(firsts.has(id) ? tryPreflight(id) : []),
      ...names.flatMap((name, index) =>
        scenariosFor(documentedErrors.includes(404) ? 'contract, Endpoints' : 'assumption generalStatuses', {
          [`${id}/unknown-${name}!: responds with 404 if ${name} does not exist`]: (ctx) => {
            const known = names.slice(0, index).map((parent) => [parent, parents[parent]?.(ctx) ?? unknownId])
            const ids = { ...params, ...(Object.fromEntries(known) as Params) }
            return ctx.call(id, { params: ids, ...makePlausibleBody(id) })
          },
        }),
      ),
      ...(json ? tryInvalidJson(id) : []),
    ]
  }),
]
