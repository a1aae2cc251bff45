// Mutants of the transport: unreadable responses, redirects, wrong headers and error bodies.
import { jsonResponse } from './deployment.ts'
import { header, mutant, type Mutant } from './mutant.ts'

const broken = (operation: Mutant['operation']) =>
  mutant(operation, 'behaviour', 'breaks the connection', {
    reply: () => {
      throw new TypeError('terminated')
    },
  })

const errors = (operation: Mutant['operation'], wrong: string, json: (error: string) => unknown) =>
  mutant(operation, 'field', wrong, {
    reply: (reply) => {
      if (reply.status >= 400) reply.json = json(reply.json.error)
    },
  })

export const lineMutants: readonly Mutant[] = [
  broken('listLists'),
  broken('createComment'),
  broken('getIdentity'),
  mutant('getTask', 'status', 'redirects', {
    reply: (reply) => {
      Object.assign(reply, jsonResponse(308, {}))
      reply.headers.set('location', 'https://elsewhere.example/v1')
    },
  }),
  mutant('createRow', 'status', 'redirects', {
    reply: (reply) => {
      if (reply.status === 200) Object.assign(reply, jsonResponse(307, {}))
    },
  }),
  header('listForms', 'admits another origin alone', (names) =>
    names.set('access-control-allow-origin', 'https://app.example.com'),
  ),
  header('getList', 'an error has no CORS header', (names, reply) => {
    if (reply.status >= 400) names.delete('access-control-allow-origin')
  }),
  mutant('deleteTask', 'header', 'the preflight does not allow Content-Type', {
    preflight: (names) => names.set('access-control-allow-headers', 'authorization'),
  }),
  errors('getJob', 'an error is an object', (error) => ({ error: { message: error } })),
  errors('getForm', 'an error says nothing', () => ({ error: '' })),
  errors('createSpace', 'an error is a list', (error) => ({ errors: [error] })),
  mutant('listComments', 'status', 'is always unavailable', {
    reply: (reply) =>
      Object.assign(reply, jsonResponse(503, { error: 'try again', transient: true })) as never,
  }),
]
