// The list of all transitions of jobs, time entries, tasks and forms. Source: contract, States and transitions.

const statusTypes = ['active', 'done', 'archived'] as const
export type StatusType = (typeof statusTypes)[number]

/** Every change between types of a task's status, including changes within one type. */
export const statusChanges = statusTypes.flatMap((from) => statusTypes.map((to) => ({ from, to })))
export const statusChangeName = (from: StatusType, to: StatusType) => `task: ${from} -> ${to}` as const

export const otherTransitions = [
  'job: none -> queued',
  'job: queued -> processing',
  'job: processing -> processing',
  'job: processing -> done',
  'job: processing -> done, with errors',
  'job: processing -> failed, nothing went in',
  'job: processing -> failed, a chunk errored',
  'time entry: none -> stopped, by manual',
  'time entry: none -> running, by start',
  'time entry: running -> stopped, by stop',
  'time entry: running -> stopped, by another start',
  'time entry: running -> running, another start refused',
  'time entry: running -> running, beside another start',
  'time entry: running -> running, edit refused',
  'time entry: stopped -> stopped, edited',
  'time entry: running -> none, deleted',
  'time entry: stopped -> none, deleted',
  'time entry: none -> none, stop refused',
  'task: none -> active, the first active status',
  'task: none -> done, a status given',
  'task: any -> deleted',
  'task: deleted -> restored, on the last day',
  'task: deleted -> purged, after the last day',
  'task: on_complete -> cloned',
  'task: on_complete -> ended, past end_date',
  'task: on_schedule -> cloned',
  'task: on_schedule -> ended, past end_date',
  'task: on_schedule -> cleared, by null',
  'form: draft -> published',
  'form: published -> draft',
] as const
export type OtherTransition = (typeof otherTransitions)[number]

export const transitionNames: readonly string[] = [
  ...otherTransitions,
  ...statusChanges.map(({ from, to }) => statusChangeName(from, to)),
]
