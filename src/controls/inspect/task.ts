// A task for consoles: with its list, everything that belongs to it, and the names of linked rows.
import type { CommentRecord } from '../../contract/comments.ts'
import type { FieldRecord, Status } from '../../contract/lists.ts'
import type { AttachmentRecord } from '../../contract/task-attachments.ts'
import type { TaskRecord } from '../../contract/tasks.ts'
import type { TimeEntryRecord } from '../../contract/time-entries.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { toCustomData } from '../../resources/custom-fields.ts'
import type { Store } from '../../store/store.ts'
import { linksOf, type RowLink } from './rows.ts'
import { getRecord } from '../records.ts'
import { byParent } from '../../resources/tasks.ts'

interface Named {
  readonly id: string
  readonly title: string
}

export interface TaskDetail {
  readonly task: TaskRecord
  readonly list: {
    readonly id: string
    readonly name: string
    readonly statuses: readonly Status[]
    readonly fields: readonly FieldRecord[]
  }
  /** Its `custom_data` as the API shows it, formulas computed. */
  readonly customData: JsonObject
  readonly parent: Named | null
  readonly subtasks: readonly Named[]
  /** Oldest first; without the keys that created them. */
  readonly comments: readonly Omit<CommentRecord, 'key'>[]
  readonly timeEntries: readonly TimeEntryRecord[]
  readonly attachments: readonly AttachmentRecord[]
  /** When it repeats next, in milliseconds; null if that is unknown. */
  readonly repeatsMs: number | null
  /** The rows linked by its custom fields, by id; absent if there are none. */
  readonly links?: Readonly<Record<string, RowLink>>
}

const toNamed = ({ id, title }: TaskRecord): Named => ({ id, title })

export function taskDetailOf(store: Store, taskId: string): TaskDetail {
  const task = getRecord(store, 'tasks', taskId)
  const list = getRecord(store, 'lists', task.list_id)
  const parent = store.tasks.get(task.parent_task_id ?? '')
  const links = linksOf(store, task.workspace_id, list.fields, ({ id }) => [task.custom_data[id]])
  const next = store.schedule.entries().find(({ kind, id }) => kind === 'repeat' && id === taskId)
  return {
    task,
    list: { id: list.id, name: list.name, statuses: list.statuses, fields: list.fields },
    customData: toCustomData(list, task.custom_data),
    parent: parent ? toNamed(parent) : null,
    subtasks: store.tasks
      .of(byParent, taskId)
      .filter(({ deleted_at }) => deleted_at === null)
      .map(toNamed),
    comments: store.comments.ownedBy(taskId).map(({ key: _, ...comment }) => comment),
    timeEntries: store.timeEntries.ownedBy(taskId),
    attachments: store.attachments.ownedBy(taskId),
    repeatsMs: next?.dueMs ?? null,
    ...(links && { links }),
  }
}
