// Wrong values in controls: the response names each field by its path.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve, type RunningServer } from '../../src/node.ts'

let server: RunningServer
beforeAll(async () => {
  server = await serve(createWorkspaceMock({ fixture: 'demo' }))
})
afterAll(() => server.close())

async function listProblems(path: string, json: unknown) {
  const response = await fetch(`${server.url}/__mock${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })
  expect(response.status).toBe(400)
  const { problems } = (await response.json()) as { problems: { path: string; message: string }[] }
  return problems
}

it('POST /db/rows answers 400 with the path and the value of each wrong field', async () => {
  const values = { data: { col_cups: 'many', col_sent: 3 } }
  const problems = await listProblems('/db/rows', { table: 'tbl_samples', values })
  expect(problems.map(({ path }) => path).sort()).toEqual(['data.col_cups', 'data.col_sent'])
  expect(problems.find(({ path }) => path === 'data.col_cups')?.message).toContain('received "many"')
})

it('POST /forms/frm_samples/submissions answers 400 with the paths of all missing and unknown fields', async () => {
  const problems = await listProblems('/forms/frm_samples/submissions', {
    data: { col_cafe: '', col_other: 1 },
  })
  expect(problems.map(({ path }) => path)).toEqual([
    'data.col_other',
    'data.col_cafe',
    'data.col_email',
    'data.col_set',
  ])
  for (const { path, message } of problems) expect(message.startsWith(path)).toBe(true)
})

it.each([
  ['frm_enquiry', { title: ' ' }, 'data.title'],
  ['frm_enquiry', { title: 5 }, 'data.title'],
  ['frm_enquiry', { fld_cafe: '' }, 'data.fld_cafe'],
  ['frm_enquiry', { fld_reply_to: 5 }, 'custom_data.fld_reply_to'],
  ['frm_samples', { col_cups: 'many' }, 'data.col_cups'],
  ['frm_samples', { col_email: null }, 'data.col_email'],
])(
  'POST /forms/%s/submissions answers 400 with the path of the wrong field: %j',
  async (form, wrong, path) => {
    const enquiry = { title: 'Beans', fld_cafe: 'Nord', fld_reply_to: 'nord@example.org' }
    const samples = { col_cafe: 'Nord', col_email: 'nord@example.org', col_set: 'Filter set' }
    const data = { ...(form === 'frm_enquiry' ? enquiry : samples), ...wrong }
    const problems = await listProblems(`/forms/${form}/submissions`, { data })
    expect(problems.map((problem) => problem.path)).toEqual([path])
    expect(problems[0]?.message).toContain('received')
  },
)
