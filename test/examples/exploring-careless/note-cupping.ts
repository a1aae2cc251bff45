// The code under test: records a cupping as a task with two comments. It looks fine and passes every test of the success
// case.
export interface Connection {
  readonly baseUrl: string
  readonly key: string
  readonly fetch: typeof fetch
  readonly sleep: (ms: number) => Promise<void>
}

async function send(
  { baseUrl, key, fetch, sleep }: Connection,
  method: string,
  path: string,
  body?: unknown,
) {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (response.ok) return await response.json()
      // Fault 1: a 429 is retried on the schedule for 500 and 503, whatever Retry-After says.
      if (response.status < 429) throw new Error((await response.json()).error)
    } catch (error) {
      // Fault 2: a POST whose response was lost is sent again, although it may have been carried out.
      if (!(error instanceof TypeError)) throw error
    }
    if (attempt === 5) throw new Error(`${method} ${path} failed five times`)
    if (attempt > 1) await sleep(1000 * 2 ** (attempt - 2))
  }
}

export async function noteCupping(
  connection: Connection,
  listId: string,
  coffee: string,
  notes: readonly string[],
) {
  const task = await send(connection, 'POST', `/lists/${listId}/tasks`, { title: `Cupping: ${coffee}` })
  for (const content of notes) await send(connection, 'POST', `/tasks/${task.id}/comments`, { content })
  // Fault 3: an error is swallowed, so nobody learns that the priority was never set.
  await connection
    .fetch(`${connection.baseUrl}/tasks/${task.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${connection.key}`, 'content-type': 'application/json' },
      body: '{"priority":"high"}',
    })
    .catch(() => undefined)
}
