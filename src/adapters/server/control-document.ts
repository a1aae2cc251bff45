// The control API as an OpenAPI 3.1 document, generated from the table of controls.
import type { NamedRoute } from '../control-api/table.ts'
import { fieldNamesOf, hasQuery } from '../control-api/wire.ts'
import type { JsonSchema } from '../../contract/schema/json-schema.ts'
import { allRoutes, eventsRoute, runRoute } from './control-routes.ts'
import { createControlShapes } from './control-shapes.ts'

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

const errorResponse = (description: string) => ({
  description,
  content: json({
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string' }, problems: { type: 'array', items: { type: 'object' } } },
  }),
})

type Shapes = ReturnType<typeof createControlShapes>

/** Controls with the same method and path share an operation; a query flag selects between their responses. */
function toOperation(routes: readonly NamedRoute[], { taken, answered }: Shapes) {
  const [first] = routes
  if (!first) throw new Error('a route has no control')
  const schemaOf = ({ names, under }: NamedRoute): JsonSchema => {
    const shape = answered.get(names.join('.')) ?? {}
    return under === undefined ? shape : { type: 'object', required: [under], properties: { [under]: shape } }
  }
  const all = routes.map(schemaOf)
  const schema = all.length === 1 ? (all[0] ?? {}) : { anyOf: all }
  const special = first === eventsRoute ? 'text/event-stream' : first === runRoute ? 'text/html' : undefined
  const type = special ?? (first.isText ? 'text/plain' : 'application/json')
  const path = [...first.route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const fields = [...new Set(routes.flatMap(fieldNamesOf))]
  const required = fields.filter((name) => first.args.includes(name))
  const isQuery = hasQuery(first)
  const whole = first.args.find((arg) => typeof arg === 'object' && 'body' in arg)
  const name = first.names.join('.')
  const shape = taken.get(name)
  const shapeOfField = (field: string) =>
    (shape?.properties as Readonly<Record<string, JsonSchema>>)[field] ?? {}
  const properties = Object.fromEntries(fields.map((field) => [field, shapeOfField(field)]))
  const flags = routes.flatMap(({ flag }) => flag ?? [])
  const inQuery = (name: string, of: JsonSchema) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: flags.includes(name) ? 'Selects the other response.' : `The control's \`${name}\` field.`,
    schema: of,
  })
  return {
    operationId: first.names.join('_'),
    summary: name,
    parameters: [
      ...path.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...(isQuery ? fields.map((field) => inQuery(field, shapeOfField(field))) : []),
      ...flags.map((name) => inQuery(name, { type: 'boolean' })),
      { $ref: '#/components/parameters/sandbox' },
    ],
    ...(whole && {
      requestBody: {
        required: true,
        description: typeof whole === 'object' && 'body' in whole ? whole.body : '',
        content: json(shape ?? { type: 'object' }),
      },
    }),
    ...(!whole &&
      !isQuery &&
      fields.length > 0 && {
        requestBody: {
          required: required.length > 0,
          content: {
            ...json({ type: 'object', properties, ...(required.length > 0 && { required }) }),
            ...(first.takesFile && { 'text/csv': { schema: { type: 'string' } } }),
          },
        },
      }),
    responses: {
      200: { description: 'The result.', content: { [type]: { schema } } },
      400: errorResponse('The request is invalid; nothing changed.'),
      403: errorResponse('The caller has no access to the control API.'),
      404: errorResponse('Something named in the request does not exist.'),
    },
  }
}

/** @param origin the server's origin, such as `http://127.0.0.1:4010` */
export function createControlDocument(origin: string) {
  const shapes = createControlShapes()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { route } of allRoutes) {
    const [method = '', path = ''] = route.split(' ')
    const same = allRoutes.filter((other) => other.route === route)
    const operation = toOperation(
      same.toSorted((a, b) => Number(a.flag !== undefined) - Number(b.flag !== undefined)),
      shapes,
    )
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation }
  }
  const name = 'X-Mock-Sandbox'
  const schema = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of workspace-api-mock',
      version: '1.0.0',
      description: 'Controls a mock, separately from the API that it mocks.',
    },
    servers: [{ url: `${origin}/__mock` }],
    paths,
    components: {
      parameters: {
        sandbox: {
          name,
          in: 'header',
          required: false,
          description: 'The sandbox to use; by default the main one.',
          schema,
        },
      },
    },
  }
}
