// The code under test: records a cupping as a task with two comments, whatever happens.
export interface Connection {
  readonly baseUrl: string
  readonly key: string
  readonly fetch: typeof fetch
  readonly sleep: (ms: number) => Promise<void>
}

/** The first four retries of the schedule in the API's contract (Errors, rule 2). */
const waitsMs = [0, 1000, 2000, 4000]

type Send = (method: string, path: string, body?: unknown, find?: () => Promise<any>) => Promise<any>

function sender({ baseUrl, key, fetch, sleep }: Connection): Send {
  return async (method, path, body, find) => {
    for (let failures = 0; ; failures++) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => undefined)
      if (response?.ok) return response.json()
      const isTransient = !response || [429, 500, 503].includes(response.status)
      const waitMs = waitsMs[failures]
      if (!isTransient || waitMs === undefined)
        throw new Error(`${method} ${path}: ${response ? (await response.json()).error : 'no answer'}`)
      // Retry-After takes precedence over the schedule.
      const retryAfterMs = Number(response?.headers.get('retry-after') ?? 0) * 1000
      await sleep(Math.max(waitMs, retryAfterMs))
      // A request without a response may have been carried out, so look up a POST before repeating it.
      const made = response ? undefined : await find?.()
      if (made) return made
    }
  }
}

/** Finds what already exists, so that the client can run again after it gave up or crashed. */
export async function noteCupping(
  connection: Connection,
  listId: string,
  coffee: string,
  notes: readonly string[],
) {
  const send = sender(connection)
  const title = `Cupping: ${coffee}`
  const findTask = async () => {
    const { tasks } = await send('GET', `/lists/${listId}/tasks?limit=200&q=${encodeURIComponent(title)}`)
    return tasks.find((one: { title: string }) => one.title === title)
  }
  const task = (await findTask()) ?? (await send('POST', `/lists/${listId}/tasks`, { title }, findTask))
  for (const content of notes) {
    const findComment = async () => {
      const { comments } = await send('GET', `/tasks/${task.id}/comments`)
      return comments.find((one: { content: unknown }) => one.content === content)
    }
    if (!(await findComment())) await send('POST', `/tasks/${task.id}/comments`, { content }, findComment)
  }
  await send('PATCH', `/tasks/${task.id}`, { priority: 'high' })
}
