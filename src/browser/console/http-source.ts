// Owns the source of a console that talks to a standalone server through its control API.
import type { QuestionRecord } from '../../contract/questions/register.ts'
import type { ConsoleSource, WorldSource } from './source.ts'

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

interface Sending {
  readonly body?: unknown
  /** Says which workspace is meant. */
  readonly key?: string | undefined
}

type Send = <Result>(method: Method, path: string, sending?: Sending) => Promise<Result>

function messageOf(status: number, answer: unknown): string {
  const isObject = typeof answer === 'object' && answer !== null
  return isObject && 'error' in answer && typeof answer.error === 'string'
    ? answer.error
    : `the mock answered ${String(status)}`
}

/** @returns what sends a request to the control API and gives its JSON; an error answer rejects with its message */
function sender(root: string, sandbox: string | null): Send {
  return async <Result>(method: Method, path: string, { body, key }: Sending = {}) => {
    const response = await fetch(`${root}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(sandbox === null ? {} : { 'x-mock-sandbox': sandbox }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(messageOf(response.status, answer))
    return answer as Result
  }
}

/** The list that an answer holds under its name. */
const listOf = async <Item>(name: string, answer: Promise<Readonly<Record<string, readonly Item[]>>>) =>
  (await answer)[name] ?? []

const part = encodeURIComponent

function worldSource(send: Send): WorldSource {
  const list = <Item>(name: string, path: string) => listOf<Item>(name, send('GET', path))
  return {
    overview: () => send('GET', '/overview'),
    requests: ({ after, limit }) =>
      list('requests', `/requests?after=${String(after)}&limit=${String(limit)}`),
    clearRequests: () => send('DELETE', '/requests'),
    har: () => send('GET', '/requests.har'),
    report: (assumptions) => list('findings', `/report${assumptions ? '?assumptions=true' : ''}`),
    rows: (tableId, { offset, limit }) =>
      send('GET', `/tables/${part(tableId)}/rows?offset=${String(offset)}&limit=${String(limit)}`),
    tasks: (listId) => list('tasks', `/lists/${part(listId)}/tasks`),
    submissions: (formId) => list('submissions', `/forms/${part(formId)}/submissions`),
    setClock: (change) => send('PUT', '/clock', { body: change }),
    advance: (by) => send('POST', '/clock/advance', { body: { by } }),
    faults: () => list('faults', '/faults'),
    addFault: (spec) => send('POST', '/faults', { body: spec }),
    removeFault: (id) => send('DELETE', `/faults/${part(id)}`),
    clearFaults: () => send('DELETE', '/faults'),
    changeWorkspace: ({ keys }, change) => send('PATCH', '/workspace', { body: change, key: keys[0]?.id }),
    suspendKey: (key, suspended) => send('PATCH', `/keys/${part(key)}`, { body: { suspended } }),
    lockTable: (tableId, locked) => send('PATCH', `/tables/${part(tableId)}`, { body: { locked } }),
    restoreTask: (taskId) => send('POST', `/tasks/${part(taskId)}/restore`),
    publishForm: (formId, is_published) =>
      send('PATCH', `/forms/${part(formId)}`, { body: { is_published } }),
    submitForm: (formId, data) => send('POST', `/forms/${part(formId)}/submissions`, { body: { data } }),
    answers: () => send('GET', '/answers'),
    setAnswers: (answers) => send('PUT', '/answers', { body: answers }),
    snapshots: () => list('snapshots', '/snapshots'),
    saveSnapshot: (name) => send('PUT', `/snapshots/${part(name)}`),
    restoreSnapshot: (name) => send('POST', `/snapshots/${part(name)}/restore`),
    deleteSnapshot: (name) => send('DELETE', `/snapshots/${part(name)}`),
    reset: () => send('POST', '/reset'),
  }
}

/** `origin` of the server, such as `http://127.0.0.1:4010`. */
export function createHttpSource(origin: string): ConsoleSource {
  const root = `${origin}/__mock`
  const send = sender(root, null)
  return {
    baseUrl: `${origin}/v1`,
    fixture: async () => (await send<{ readonly fixture: string }>('GET', '/health')).fixture,
    questions: () => listOf<QuestionRecord>('questions', send('GET', '/questions')),
    sandboxes: () => listOf<string>('sandboxes', send('GET', '/sandboxes')),
    world: (sandbox) => worldSource(sender(root, sandbox)),
  }
}
