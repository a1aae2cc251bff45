// The code under test: imports rows with a background job and waits for it.
interface Connection {
  readonly baseUrl: string
  readonly key: string
}
interface Job {
  readonly status: 'queued' | 'processing' | 'done' | 'failed'
  readonly error_message: string | null
  readonly metadata: { readonly row_count: number }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function send(url: string, init: RequestInit, attempt = 1): Promise<Response> {
  const response = await fetch(url, init)
  if (response.status !== 503 || attempt > 5) return response
  if (attempt > 1) await sleep(1000 * 2 ** (attempt - 2))
  return send(url, init, attempt + 1)
}

export async function importRows(
  { baseUrl, key }: Connection,
  tableId: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  pollMs = 500,
): Promise<Job> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const submitted = await send(`${baseUrl}/datatables/${tableId}/jobs/insert`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ rows }),
  })
  if (submitted.status !== 202) throw new Error((await submitted.json()).error)
  const { job_id } = await submitted.json()
  for (;;) {
    const job: Job = await (await send(`${baseUrl}/jobs/${job_id}`, { headers })).json()
    if (job.status === 'done' || job.status === 'failed') return job
    await sleep(pollMs)
  }
}
