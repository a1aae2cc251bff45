// The rules that hold for every operation, made from the declarations: keys, unknown ids, CORS preflight.
import { filledPath, pathParameters } from '../../contract/operation.ts'
import { operationList, type Operation } from '../../contract/index.ts'
import type { Params } from '../engine/ledger.ts'
import { admits, namesIn } from '../engine/generic-rules.ts'
import { writesNothing } from '../engine/judge.ts'
import { expectStatus, expectThat } from '../engine/expect.ts'
import { unknownId } from '../engine/ledger.ts'
import { readRules, writeRules, type Context, type Rule } from '../engine/rule.ts'
import { plausibleBody } from '../engine/bodies.ts'

const rulesFor = (operation: Operation) => (writesNothing(operation) ? readRules : writeRules)

const allUnknown = ({ path }: Operation): Params =>
  Object.fromEntries(pathParameters(path).map((name) => [name, unknownId]))

function keyRules(operation: Operation): Rule[] {
  // Without a body and with unknown ids it does no harm if it is accepted.
  const ask = (key: string | null) => ({ params: allUnknown(operation), key })
  const { id } = operation
  return rulesFor(operation)('contract, Authentication, 5', {
    [`${id}/missing-key: responds with 401 without a key`]: async (c: Context) =>
      c.api.expect(id, 401, ask(null)),
    [`${id}/wrong-key: responds with 401 to a key that differs in its last character`]: async (c: Context) =>
      c.api.expect(id, 401, ask(c.api.transport.similarKey)),
  })
}

function notJsonRule({ id, body }: Operation): Rule[] {
  if (body?.json === undefined || id === 'createRow') return []
  const ask = { body: '{"verify', headers: { 'content-type': 'application/json' } }
  return writeRules('assumption generalStatuses', {
    [`${id}/no-json: refuses a body that is not JSON`]: async ({ api }: Context) => api.expect(id, 400, ask),
  })
}

/** The storage keys of files have their own rules. */
function unknownIdRules(operation: Operation): Rule[] {
  const { id, documentedErrors } = operation
  const source = documentedErrors.includes(404) ? 'contract, Endpoints' : 'assumption generalStatuses'
  const names = pathParameters(operation.path).filter((name) => name !== 'key')
  return names.flatMap((name, index) =>
    rulesFor(operation)(source, {
      [`${id}/unknown-${name}: responds with 404 where ${name} does not exist`]: async (c: Context) => {
        const params: Record<string, string> = { ...allUnknown(operation) }
        // Ids before the unknown one are real.
        for (const parent of names.slice(0, index))
          params[parent] =
            c.mayWrite && parent === 'taskId' ? await c.own.sharedTask() : await c.seen.idOf(parent)
        await c.api.expect(id, 404, { params, ...plausibleBody(id) })
      },
    }),
  )
}

const preflightRule = ({ id, method, path }: Operation): Rule[] =>
  readRules('contract, What the service does, 2', {
    [`${id}/preflight: browsers from any origin can send it, with Authorization and Content-Type`]: async ({
      api,
    }: Context) => {
      const headers = {
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      }
      const url = api.url(filledPath(path, () => unknownId))
      const reply = await api.transport.send('OPTIONS', url, { key: null, headers })
      expectThat(reply.isSuccess, 'a success of the preflight', reply.summary)
      const header = (name: string) => reply.headers.get(`access-control-allow-${name}`)
      const methods = namesIn(header('methods'))
      const isMethodAllowed = methods.includes('*') || methods.includes(method.toLowerCase())
      expectThat(isMethodAllowed, `Access-Control-Allow-Methods with ${method}`, header('methods'))
      const allowedOrigin = header('origin')
      expectThat(admits(allowedOrigin), 'Access-Control-Allow-Origin that admits the origin', allowedOrigin)
      const allowed = namesIn(header('headers'))
      // A star stands for every header but Authorization.
      for (const name of ['authorization', 'content-type']) {
        const isAllowed = allowed.includes(name) || (name !== 'authorization' && allowed.includes('*'))
        expectThat(isAllowed, `Access-Control-Allow-Headers with ${name}`, header('headers'))
      }
    },
  })

const unknownPaths = [
  ['unknown-path', 'GET', '/verify-no-such-path'],
  ['unknown-method', 'PUT', '/me'],
].flatMap(([id = '', method = '', path = '']) =>
  readRules('assumption checkOrder', {
    [`general/${id}: responds with 404 to ${method} ${path}, which is not an operation`]: async (
      c: Context,
    ) => {
      const reply = await c.api.transport.send(method, c.api.url(path))
      expectStatus(reply, 404)
      c.api.judge.checkError(reply)
    },
  }),
)

export const everyOperation = [
  ...unknownPaths,
  ...operationList.flatMap((operation) => [
    ...keyRules(operation),
    ...preflightRule(operation),
    ...unknownIdRules(operation),
    ...notJsonRule(operation),
  ]),
]
