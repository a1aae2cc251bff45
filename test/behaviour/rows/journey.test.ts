// An import of 3,000 rows from start to end, by a client that knows only the contract.
import { describe, expect, it } from 'vitest'
import { times, useMock } from '../support/harness.ts'

describe('import of 3,000 rows', () => {
  const { api } = useMock({ fixture: 'demo', key: 'wm_demo_master' })

  it('getJob answers 200 from queued to done when a client polls an import, and every row is there', async () => {
    const tables = (await api.get('/datatables')).list('datatables') as { id: string; row_count: number }[]
    const table = tables.find(({ row_count }) => row_count === 0)?.id ?? ''
    const columns = (await api.get(`/datatables/${table}/schema`)).list('columns') as {
      id: string
      name: string
      type: string
    }[]
    const text = columns.find(({ type }) => type === 'text')
    const number = columns.find(({ type }) => type === 'number')
    if (!text || !number) throw new Error('the empty table of the demo has a text and a number column')

    const rows = times(3000, (index) => ({ [text.id]: `Contact ${String(index)}`, [number.id]: index }))
    const submitted = await api.post(`/datatables/${table}/jobs/insert`, { rows })
    expect(submitted.status).toBe(202)
    expect(submitted.json).toMatchObject({ status: 'queued', rows_submitted: 3000 })

    const path = `/jobs/${submitted.string('job_id')}`
    const progress: number[] = []
    const states = new Set<string>()
    for (let poll = 0; poll < 100; poll++) {
      const job = await api.get(path)
      expect(job.status).toBe(200)
      states.add(job.string('status'))
      progress.push(job.number('metadata.progress'))
      if (job.at('status') === 'done' || job.at('status') === 'failed') break
    }
    expect([...states]).toEqual(['queued', 'processing', 'done'])
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    expect(progress.at(-1)).toBe(1)

    const job = await api.get(path)
    expect(job.json).toMatchObject({
      status: 'done',
      resource_id: table,
      error_message: null,
      metadata: { submitted: 3000, row_count: 3000, total: 3000, errors: 0 },
    })
    const seen: unknown[] = []
    for (let page = 1; page <= 6; page++) {
      const query = { page, limit: 500, sort: `${number.name}:asc` }
      seen.push(...(await api.get(`/datatables/${table}/rows`, { query })).pluck('rows', `data.${number.id}`))
    }
    expect(seen).toEqual(times(3000, (index) => index))
    const filtered = await api.get(`/datatables/${table}/rows`, { query: { [text.name]: 'Contact 2718' } })
    expect(filtered.pluck('rows', `data.${number.id}`)).toEqual([2718])
  })
})
