// What each generated client must get from a mock of the demo fixture: a task that it creates, reads and lists, and one
// that does not exist.
export interface Seen {
  readonly created: string
  readonly title: string
  readonly listed: number
  readonly status: number
  readonly error: string
}

export const listId = 'lst_launch'
export const task = { title: 'Made by a client', priority: 'high' } as const
export const page = { limit: 3 } as const
export const absent = 'tsk_nowhere'

export function assertExists<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`expected ${what}`)
  return value
}
