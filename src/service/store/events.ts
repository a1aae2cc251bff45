// Events for code outside the API. Assumption: webhooks
import { getOrInsert } from '../../contract/data/maps.ts'
import { describeNearestName } from '../../contract/text/nearest.ts'
import { quote } from '../../contract/text/quote.ts'
import type { JobRecord } from '../../contract/jobs.ts'
import type { ScheduleKind } from './schedule.ts'
import type { FlatRow, FormSubmission, Job, Row, Task } from '../../contract/types.d.ts'

interface WorkspaceEvent {
  readonly at: number
  readonly workspace_id: string
}
type TaskEvent = WorkspaceEvent & { readonly list_id: string; readonly task: Task }

/** The payload of each event; `at` is in Unix seconds on the mock's clock. */
export interface EventMap {
  'row.inserted': WorkspaceEvent & { readonly table_id: string; readonly row: Row | FlatRow }
  'task.created': TaskEvent
  'task.completed': TaskEvent
  'job.finished': WorkspaceEvent & { readonly job: Job }
  'form.submitted': WorkspaceEvent & { readonly form_id: string; readonly submission: FormSubmission }
}
export type EventName = keyof EventMap
const eventNames = Object.keys({
  'row.inserted': true,
  'task.created': true,
  'task.completed': true,
  'job.finished': true,
  'form.submitted': true,
} satisfies Record<EventName, true>)

export type Listener<Name extends EventName> = (event: EventMap[Name]) => unknown

/** Calls a listener. If it throws or rejects, the error is logged to the console and changes nothing. */
export function callListener<T>(name: string, listener: (payload: T) => unknown, payload: T): void {
  const log = (verb: string) => (error: unknown) => {
    console.error(`[workspace-api-mock] a listener for ${name} ${verb}`, error)
  }
  try {
    const result = listener(payload)
    // Not `instanceof`, because the promise can come from another realm.
    if (typeof result === 'object' && result !== null && 'then' in result)
      Promise.resolve(result).catch(log('rejected'))
  } catch (error) {
    log('threw')(error)
  }
}

/** Occurrences of repeating tasks that were skipped because the clock moved too far at once. Assumption: recurrence */
export interface SkippedOccurrences {
  /** How many occurrences were created. */
  readonly made: number
  /** How many tasks have skipped occurrences. */
  readonly tasks: number
}

/** What a move of the clock caused: a step of a job, a repeated task, or a purged task. */
export interface Happening {
  readonly kind: ScheduleKind
  /** The id of the job, the new task or the purged task. */
  readonly id: string
  /** The table of the job, or the title of the task. */
  readonly name: string
  readonly atMs: number
  /** The job's state after this step. */
  readonly job?: Pick<JobRecord, 'status' | 'handled' | 'submitted'>
}

/** Where a store sends its events. */
export interface EventSink {
  hasListeners(name: EventName): boolean
  /** `event` creates the payload and is called only if there is a listener. */
  emit<Name extends EventName>(name: Name, event: () => EventMap[Name]): void
  /** Called after every change to the state. */
  changed(): void
  skipped(skipped: SkippedOccurrences): void
  happened(happening: Happening): void
}

export const noEvents: EventSink = {
  hasListeners: () => false,
  emit: () => undefined,
  changed: () => undefined,
  skipped: () => undefined,
  happened: () => undefined,
}

/** Creates an event sink with listeners; each gets its own copy of the payload. */
export function createEvents(sink: Pick<EventSink, 'changed' | 'skipped' | 'happened'>) {
  const listenersOf = new Map<EventName, Set<Listener<never>>>()
  const hasListeners = (name: EventName) => (listenersOf.get(name)?.size ?? 0) > 0
  return {
    ...sink,
    hasListeners,

    /** @returns a function that unsubscribes */
    on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
      if (!eventNames.includes(name))
        throw new RangeError(
          `event must be one of ${eventNames.join(', ')}; received ${quote(name)}${describeNearestName(name, eventNames)}`,
        )
      const listeners = getOrInsert(listenersOf, name, () => new Set<Listener<never>>())
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    emit<Name extends EventName>(name: Name, event: () => EventMap[Name]): void {
      if (!hasListeners(name)) return
      const payload = event()
      for (const listener of [...(listenersOf.get(name) ?? [])])
        callListener(name, listener as Listener<Name>, structuredClone(payload))
    },
  }
}
