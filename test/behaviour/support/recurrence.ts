// Repeating tasks for tests, and their clones.
import { expect } from 'vitest'
import type { Api } from './harness.ts'

const list = '/lists/lst_main/tasks'

/** @returns the id of a task that repeats from now on */
export async function repeating(
  api: Api,
  repeat_config: unknown,
  task: Record<string, unknown> = {},
): Promise<string> {
  const created = await api.post(list, { title: 'Water the plants', ...task })
  expect(created.status).toBe(201)
  const id = created.string('id')
  const patched = await api.patch(`/tasks/${id}`, { repeat_config })
  expect(patched.status).toBe(200)
  return id
}

/** The due dates of the clones, as ISO text. */
export async function clones(api: Api, original: string): Promise<string[]> {
  const reply = await api.get(list, { query: { q: 'water', limit: 200 } })
  const tasks = reply.list('tasks') as { id: string; due_date: number }[]
  return tasks
    .filter(({ id }) => id !== original)
    .map(({ due_date }) => new Date(due_date * 1000).toISOString().replace(':00.000Z', 'Z'))
}
