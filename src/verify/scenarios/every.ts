// Scenarios of every operation, made from the declarations: keys, unknown ids, bodies that are not JSON, CORS preflights.
import { pathParameters, filledPath } from '../../contract/operation.ts'
import { operationList, type Operation, type OperationId } from '../../contract/index.ts'
import { bodyText, plausibleBody } from '../engine/bodies.ts'
import { admits, namesIn } from '../engine/generic-rules.ts'
import { writesNothing } from '../engine/judge.ts'
import { unknownId, type Params } from '../engine/ledger.ts'
import { reading, writing, type Scenario } from '../twin/scenario.ts'
import type { Play } from '../twin/play.ts'
import { needed } from '../engine/expect.ts'
import { makeRow, makeTask, ownList, ownTable } from './own.ts'

const scenarioFor = (operation: Operation) => (writesNothing(operation) ? reading : writing)

const allUnknown = ({ path }: Operation): Params =>
  Object.fromEntries(pathParameters(path).map((name) => [name, unknownId]))

/** Without a body and with unknown ids it does no harm where a key is accepted. */
const keys = (operation: Operation): Scenario[] => {
  const { id } = operation
  const params = allUnknown(operation)
  const scenario = scenarioFor(operation)
  return [
    scenario(
      `${id}/missing-key`,
      'contract, Authentication',
      'responds with 401 without a key',
      async (play) => play.call(id, { params, key: null }),
    ),
    scenario(
      `${id}/wrong-key`,
      'contract, Authentication',
      'responds with 401 to a key that differs in its last character',
      async (play) => play.call(id, { params, key: play.twin.context.api.transport.similarKey }),
    ),
  ]
}

const keyForms = reading(
  'getIdentity/key-forms',
  'contract, Authentication',
  'a key is sent as a bearer token',
  async (play) => {
    const { key } = play.twin.oracle
    for (const authorization of ['Bearer ', 'Bearer', `Basic ${key}`, key])
      await play.call('getIdentity', { key: null, headers: { authorization } })
  },
)

/** Ids of something real for the parameters of a path before the last. */
const parents: Readonly<Record<string, (play: Play) => Promise<string> | string>> = {
  tableId: ({ known }) => needed(known.tables[0], 'the workspace has no table').id,
  taskId: ({ known }) => needed(known.lists.flatMap(({ tasks }) => tasks)[0], 'no list has tasks').id,
}

const unknownIds = (operation: Operation): Scenario[] => {
  const { id, path, documentedErrors } = operation
  const names = pathParameters(path).filter((name) => name !== 'key')
  const source = documentedErrors.includes(404) ? 'contract, Endpoints' : 'assumption generalStatuses'
  return names.map((name, index) =>
    scenarioFor(operation)(
      `${id}/unknown-${name}`,
      source,
      `responds with 404 where ${name} does not exist`,
      async (play) => {
        const params: Record<string, string> = { ...allUnknown(operation) }
        for (const parent of names.slice(0, index))
          params[parent] = (await parents[parent]?.(play)) ?? unknownId
        await play.call(id, { params, ...plausibleBody(id) })
      },
    ),
  )
}

/** Ids of the run's own for a path. */
async function ownIds(play: Play, { path }: Operation): Promise<Params> {
  const names = pathParameters(path)
  const taskId = names.includes('taskId') ? await makeTask(play) : ''
  const rowId = names.includes('rowId') ? (await makeRow(play)).params.rowId : ''
  const made = async (operation: 'createComment' | 'createTimeEntry') =>
    (await play.make(operation, { params: { taskId }, ...plausibleBody(operation) })).id
  return {
    taskId,
    rowId,
    ...(names.includes('tableId') && { tableId: ownTable(play).id }),
    ...(names.includes('listId') && { listId: ownList(play) }),
    ...(names.includes('spaceId') && {
      spaceId: needed(play.twin.space, 'the run could not make a space', 'permission').spaceId,
    }),
    ...(names.includes('commentId') && { commentId: await made('createComment') }),
    ...(names.includes('entryId') && { entryId: await made('createTimeEntry') }),
  }
}

const json = { 'content-type': 'application/json' }

const notJson = (operation: Operation): Scenario =>
  writing(
    `${operation.id}/no-json`,
    'assumption generalStatuses',
    'a body that is not a JSON object is refused',
    async (play) => {
      const params = await ownIds(play, operation)
      for (const body of ['{"verify', '', '"x"'])
        await play.call(operation.id, { params, body, headers: json })
      play.says('JSON with another content type', 'assumption contentType')
      // A run that is interrupted here leaves a space that it is known by.
      const text = bodyText(operation.id, play.twin.context.own.spaceName)
      if (text !== undefined && (operation.id.startsWith('update') || operation.id === 'queryRows'))
        await play.call(operation.id, { params, body: text, headers: { 'content-type': 'text/plain' } })
    },
  )

/** A star stands for every header but Authorization. */
function preflight({ id, method, path }: Operation): Scenario {
  const asked = {
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type',
  }
  return reading(
    `${id}/preflight`,
    'contract, What the service does, 2',
    'browsers from any origin can send it, with Authorization and Content-Type',
    async (play) => {
      const { api } = play.twin.context
      const reply = await api.transport.send('OPTIONS', api.url(filledPath(path, () => unknownId)), {
        key: null,
        headers: asked,
      })
      const header = (name: string) => reply.headers.get(`access-control-allow-${name}`)
      const [methods, headers] = [namesIn(header('methods')), namesIn(header('headers'))]
      const checks: readonly (readonly [isKept: boolean, path: string, expected: string, got: unknown])[] = [
        [reply.isSuccess, 'status', 'a success of the preflight', reply.summary],
        [
          methods.includes('*') || methods.includes(method.toLowerCase()),
          'access-control-allow-methods',
          method,
          header('methods'),
        ],
        [admits(header('origin')), 'access-control-allow-origin', 'the origin, or *', header('origin')],
        [
          headers.includes('authorization'),
          'access-control-allow-headers',
          'authorization',
          header('headers'),
        ],
        [
          headers.includes('content-type') || headers.includes('*'),
          'access-control-allow-headers',
          'content-type',
          header('headers'),
        ],
      ]
      play.checked(id)
      for (const [isKept, at, expected, got] of checks)
        if (!isKept) play.report(id, { path: at, kind: 'header', expected, got })
    },
  )
}

/** Paths and methods that are no operation. */
const nowhere: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/verify-no-such-path'],
  ['PUT', '/me'],
]

const unknownPaths = reading(
  'getIdentity/unknown-path',
  'assumption checkOrder',
  'what is no operation gets 404, with an error',
  async (play) => {
    const { api } = play.twin.context
    play.checked('getIdentity')
    for (const [method, path] of nowhere) {
      const reply = await api.transport.send(method, api.url(path))
      api.judge.checkError(reply)
      if (reply.status !== 404)
        play.report('getIdentity', { path: 'status', kind: 'status', expected: 404, got: reply.status })
    }
  },
)

const all: readonly (readonly [id: OperationId, scenarios: readonly Scenario[]])[] = operationList.map(
  (operation) => [
    operation.id,
    [
      ...keys(operation),
      preflight(operation),
      ...unknownIds(operation),
      ...(operation.body?.json ? [notJson(operation)] : []),
    ],
  ],
)

export const everyScenarios: readonly Scenario[] = [
  keyForms,
  unknownPaths,
  ...all.flatMap(([, scenarios]) => scenarios),
]
