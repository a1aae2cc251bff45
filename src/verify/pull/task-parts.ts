// Comments, time entries and attachments of a task, as a fixture has them.
import { commentFields, type Comment } from '../../contract/comments.ts'
import type { Member } from '../../contract/schema/common.ts'
import type { Attachment } from '../../contract/task-attachments.ts'
import { timeEntryFields, type TimeEntry } from '../../contract/time-entries.ts'
import type {
  FixtureAttachment,
  FixtureComment,
  FixtureTask,
  FixtureTimeEntry,
} from '../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'
import { recordsIn } from './reader.ts'

async function pulledComments(gathered: Gathered, taskId: string): Promise<FixtureComment[]> {
  const comments = await gathered.reader.list<Comment>('listComments', 'comments', { taskId })
  if (comments.length > 0) gathered.notes.add('Which key made a comment is not shown.')
  // The type of the content follows from the content.
  return comments.map(({ content_type: _, ...comment }) => ({
    ...gathered.record(commentFields, comment),
    author_id: gathered.person(comment.author_id, comment.author_name),
  }))
}

/** Assumption: timeEntryUsers, runningDuration */
async function pulledEntries(gathered: Gathered, taskId: string): Promise<FixtureTimeEntry[]> {
  const body = await gathered.reader.get('listTimeEntries', { taskId })
  const users = recordsIn<Member>(body, 'users')
  for (const user of users) {
    gathered.person(user.id, user.name)
    gathered.observe('timeEntryUsers', 'total_seconds' in user ? 'totals' : 'names')
  }
  return recordsIn<TimeEntry>(body, 'entries').map((entry) => {
    const { is_running, date_start, duration } = entry
    const isElapsed = is_running === 1 && duration > 0
    if (isElapsed) gathered.observe('runningDuration', 'elapsed')
    if (is_running === 1) gathered.saw(date_start + duration)
    return {
      ...gathered.record(timeEntryFields, entry),
      user_id: gathered.person(entry.user_id),
      duration: isElapsed ? 0 : duration,
      ...(is_running === 1 && { date_end: null }),
    }
  })
}

async function pulledAttachments(gathered: Gathered, taskId: string): Promise<FixtureAttachment[]> {
  const { reader, wantsFiles } = gathered
  const attachments: FixtureAttachment[] = []
  const found = await reader.list<Attachment>('listTaskAttachments', 'attachments', { taskId })
  if (wantsFiles) reader.plan(found.length)
  for (const { id, filename, mime_type, size_bytes } of found) {
    const contents = wantsFiles ? await reader.file({ taskId, attachmentId: id }) : undefined
    const size = gathered.file(id, size_bytes, contents)
    if (size !== size_bytes)
      gathered.notes.add(`File ${filename} has ${String(size)} bytes, not ${String(size_bytes)} as listed.`)
    attachments.push({ id, filename, mime_type, size_bytes: size })
  }
  return attachments
}

export const pulledParts = async (
  gathered: Gathered,
  taskId: string,
): Promise<Pick<FixtureTask, 'comments' | 'time_entries' | 'attachments'>> => ({
  comments: await pulledComments(gathered, taskId),
  time_entries: await pulledEntries(gathered, taskId),
  attachments: await pulledAttachments(gathered, taskId),
})
