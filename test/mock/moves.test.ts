// After any move, change, undo or removal in the model, the API reads the same as from a mock of the exported state.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createWorkspaceMock, type DbCollection, type WorkspaceMock } from '../../src/index.ts'
import { readsOf } from '../pull/support/reads.ts'

/** Fields by which records are found, ordered or shown. */
const fields = {
  lists: ['space_id', 'name', 'is_private'],
  tasks: ['list_id', 'status_id', 'title', 'created_at', 'deleted_at'],
  comments: ['task_id', 'created_at', 'deleted_at', 'content'],
  timeEntries: ['task_id', 'user_id', 'date_start', 'created_at'],
  attachments: ['task_id', 'filename', 'created_at'],
  forms: ['name', 'created_at', 'is_published'],
  submissions: ['form_id', 'created_at'],
} as const

type Name = keyof typeof fields
const names = Object.keys(fields) as Name[]

type Any = Record<string, unknown> & { readonly id: string }
const collection = (mock: WorkspaceMock, name: Name) => mock.db[name] as unknown as DbCollection<Any>

/** Copies a field's value from one record to another; an unsuitable value is refused. */
async function move(mock: WorkspaceMock, name: Name, [one, other, field]: readonly number[]): Promise<void> {
  const records = collection(mock, name)
  const all = records.all()
  const [target, source] = [one, other].map((at = 0) => all[at % all.length])
  const moved = fields[name][(field ?? 0) % fields[name].length]
  if (!target || !source || moved === undefined) return
  const write = { data: (draft: Any) => void (draft[moved] = source[moved]) }
  await records.update((query) => query.where({ id: target.id }), write as never).catch(() => undefined)
}

const send = (mock: WorkspaceMock, method: string, path: string, json?: unknown) =>
  mock.fetch(path, {
    method,
    headers: { authorization: `Bearer ${mock.keys.master ?? ''}`, 'content-type': 'application/json' },
    body: json === undefined ? null : JSON.stringify(json),
  })

const idAt = (mock: WorkspaceMock, name: Name, at: number) => {
  const all = collection(mock, name).all()
  return all[at % all.length]?.id ?? ''
}

const steps: Readonly<Record<string, (mock: WorkspaceMock, at: number) => unknown>> = {
  deleteTask: (mock, at) => send(mock, 'DELETE', `/tasks/${idAt(mock, 'tasks', at)}`),
  patchTask: (mock, at) => send(mock, 'PATCH', `/tasks/${idAt(mock, 'tasks', at)}`, { title: 'Changed' }),
  start: (mock, at) =>
    send(mock, 'POST', `/tasks/${idAt(mock, 'tasks', at)}/time-entries`, { action: 'start' }),
  stop: (mock, at) =>
    send(mock, 'POST', `/tasks/${idAt(mock, 'tasks', at)}/time-entries`, { action: 'stop' }),
  comment: (mock, at) => send(mock, 'POST', `/tasks/${idAt(mock, 'tasks', at)}/comments`, { content: 'New' }),
  remove: (mock, at) => {
    const name = names[at % names.length] ?? 'tasks'
    try {
      collection(mock, name).delete((query) => query.where({ id: idAt(mock, name, at) }))
    } catch {
      // Records that others refer to cannot be deleted.
    }
  },
  purge: (mock) => mock.clock.advance('31d'),
  back: (mock) => mock.clock.set(mock.clock.now() - 86_400),
  keep: (mock) => mock.snapshots.save('kept'),
  restore: (mock) => mock.snapshots.restore('kept'),
  boundary: (mock, at) => mock.boundary(() => move(mock, 'tasks', [at, at + 1, 0]))(),
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      move: fc.constantFrom(...names),
      at: fc.tuple(fc.nat(200), fc.nat(200), fc.nat(9)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ run: fc.constantFrom(...Object.keys(steps)), at: fc.nat(200) }) },
)

it('the API returns the same as a mock of the exported state, after records were moved, restored or removed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (sequence) => {
      const mock = createWorkspaceMock()
      mock.snapshots.save('kept')
      await readsOf(mock, mock.keys.master, false)
      for (const one of sequence)
        if ('move' in one) await move(mock, one.move, one.at)
        else await steps[one.run]?.(mock, one.at)
      const copy = createWorkspaceMock({ fixture: mock.state() })
      const reads = await readsOf(copy, mock.keys.master, false)
      expect(await readsOf(mock, mock.keys.master, false)).toEqual(reads)
    }),
    { numRuns: 8, seed: 4010 },
  )
})
