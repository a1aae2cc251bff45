// Scenarios of every operation, from the declarations: keys, unknown ids, bodies that are not JSON, CORS preflights.
import { listPathParameters, fillPath } from '../../../contract/operation.ts'
import { operationList, type Operation } from '../../../contract/index.ts'
import { makePlausibleBody, makePlausibleJson } from '../engine/bodies.ts'
import { isOriginAllowed, parseNames } from '../engine/generic-rules.ts'
import { isReadingOperation } from '../engine/judge.ts'
import { unknownId, type Params } from '../engine/ledger.ts'
import { spaceNameOf } from '../engine/start.ts'
import { reading, writing, type Scenario, type Play } from '../twin/play.ts'
import { requireValue } from '../engine/drift.ts'
import { resolveParams } from './records.ts'

const scenariosFor = (operation: Operation) => (isReadingOperation(operation) ? reading : writing)

const unknownParamsOf = ({ path }: Operation): Params =>
  Object.fromEntries(listPathParameters(path).map((name) => [name, unknownId]))

/** Without a body and with unknown ids, a request whose key is accepted does no harm. */
const tryKeys = (operation: Operation): Scenario[] => {
  const { id } = operation
  const params = unknownParamsOf(operation)
  return scenariosFor(operation)('contract, Authentication', {
    [`${id}/missing-key: responds with 401 without a key`]: (play) => play.call(id, { params, key: null }),
    [`${id}/wrong-key: responds with 401 to a key that differs in its last character`]: (play) =>
      play.call(id, { params, key: play.twin.context.api.transport.similarKey }),
  })
}

/** Ids that exist, for the parameters of a path before the last. */
const parents: Readonly<Record<string, (play: Play) => string>> = {
  tableId: ({ known }) => requireValue(known.tables[0], 'the workspace has no table').id,
  taskId: ({ known }) => requireValue(known.lists.flatMap(({ tasks }) => tasks)[0], 'no list has tasks').id,
}

const tryUnknownIds = (operation: Operation): Scenario[] => {
  const { id, path, documentedErrors } = operation
  const names = listPathParameters(path).filter((name) => name !== 'key')
  const source = documentedErrors.includes(404) ? 'contract, Endpoints' : 'assumption generalStatuses'
  return names.flatMap((name, index) =>
    scenariosFor(operation)(source, {
      [`${id}/unknown-${name}: responds with 404 where ${name} does not exist`]: async (play) => {
        const params: Record<string, string> = { ...unknownParamsOf(operation) }
        for (const parent of names.slice(0, index)) params[parent] = parents[parent]?.(play) ?? unknownId
        await play.call(id, { params, ...makePlausibleBody(id) })
      },
    }),
  )
}

const tryInvalidJson = (operation: Operation) =>
  writing('assumption generalStatuses', {
    [`${operation.id}/no-json: a body that is not JSON is refused`]: async (play) => {
      const { id } = operation
      const params = await resolveParams(play, id)
      const headers = { 'content-type': 'application/json' }
      for (const body of ['{"verify', '']) await play.call(id, { params, body, headers })
      play.says('JSON with another content type', 'assumption contentType')
      // The name marks a space that an interrupted run leaves behind.
      const body = JSON.stringify(makePlausibleJson(id, spaceNameOf(play.twin.context.marker)))
      if (id.startsWith('update') || id === 'queryRows')
        await play.call(id, { params, body, headers: { 'content-type': 'text/plain' } })
    },
  })

/** A star stands for every header but Authorization. */
const tryPreflight = ({ id, method, path }: Operation) =>
  reading('contract, What the service does, 2', {
    [`${id}/preflight: browsers from any origin can send it, with Authorization and Content-Type`]: async (
      play,
    ) => {
      const { api } = play.twin.context
      const headers = {
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      }
      const url = api.url(fillPath(path, () => unknownId))
      const reply = await api.transport.send('OPTIONS', url, { key: null, headers })
      play.judged.add(id)
      const check = (name: string, expected: string, isAllowed: (given: string | null) => boolean) => {
        const header = `access-control-allow-${name}`
        const given = reply.headers.get(header)
        if (!isAllowed(given)) play.differ(id, header, expected, given, 'header')
      }
      if (!reply.isSuccess) play.differ(id, 'status', 'a success of the preflight', reply.summary, 'header')
      const includes =
        (...names: readonly string[]) =>
        (given: string | null) =>
          parseNames(given).some((name) => names.includes(name))
      check('methods', method, includes('*', method.toLowerCase()))
      check('origin', 'the origin, or *', isOriginAllowed)
      check('headers', 'authorization', includes('authorization'))
      check('headers', 'content-type', includes('content-type', '*'))
    },
  })

export const everyScenarios: readonly Scenario[] = [
  ...reading('contract, Authentication', {
    'getIdentity/key-forms: a key is sent as a bearer token': async (play) => {
      for (const authorization of ['Bearer ', 'Bearer'])
        await play.call('getIdentity', { key: null, headers: { authorization } })
      for (const scheme of ['Basic ', '']) await play.call('getIdentity', { scheme })
    },
  }),
  ...reading('assumption checkOrder', {
    'getIdentity/unknown-path: what is no operation gets 404, with an error': async (play) => {
      const { api } = play.twin.context
      play.judged.add('getIdentity')
      for (const [method, path] of [
        ['GET', '/verify-no-such-path'],
        ['PUT', '/me'],
      ] as const) {
        const reply = await api.transport.send(method, api.url(path))
        api.judge.checkError(reply)
        if (reply.status !== 404) play.differ('getIdentity', 'status', 404, reply.status, 'status')
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
