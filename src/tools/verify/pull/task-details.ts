// Comments, time entries and attachments of a task, as a fixture has them.
import { commentFields } from '../../../contract/comments.ts'
import type { Member } from '../../../contract/schema/common.ts'
import { timeEntryFields } from '../../../contract/time-entries.ts'
import type { FixtureAttachment, FixtureComment, FixtureTimeEntry } from '../../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'
import { findRecords } from './listings.ts'

function toComments(gathered: Gathered, taskId: string): FixtureComment[] {
  const comments = gathered.bag.recordsOf('listComments', taskId)
  if (comments.length > 0) gathered.notes.add('Which key made a comment is not shown.')
  // Its type follows from the content.
  return comments.map(({ content_type: _, author_id = 'member_unknown', ...comment }) => ({
    ...gathered.toRecord(commentFields, comment),
    author_id: gathered.addPerson(author_id, comment.author_name),
  }))
}

/** Assumption: timeEntryUsers, runningDuration */
function toEntries(gathered: Gathered, taskId: string): FixtureTimeEntry[] {
  for (const user of findRecords<Member>(gathered.bag.find('listTimeEntries', taskId)?.body, 'users')) {
    gathered.addPerson(user.id, user.name)
    gathered.observe('timeEntryUsers', 'total_seconds' in user ? 'totals' : 'names')
  }
  return gathered.bag.recordsOf('listTimeEntries', taskId).map((entry) => {
    const { is_running, date_start = 0, duration = 0, user_id = 'member_unknown' } = entry
    const isElapsed = is_running === 1 && duration > 0
    if (isElapsed) gathered.observe('runningDuration', 'elapsed')
    if (is_running === 1) gathered.noteMoments(date_start + duration)
    return {
      ...gathered.toRecord(timeEntryFields, entry),
      user_id: gathered.addPerson(user_id),
      ...(entry.duration !== undefined && { duration: isElapsed ? 0 : duration }),
      ...(is_running === 1 && { date_end: null }),
    }
  })
}

const toAttachments = (gathered: Gathered, taskId: string): FixtureAttachment[] =>
  gathered.bag
    .recordsOf('listTaskAttachments', taskId)
    .map(({ id, filename = 'file', mime_type, size_bytes = 0 }) => ({
      id,
      filename,
      ...(mime_type !== undefined && { mime_type }),
      size_bytes: gathered.addFile(id, filename, size_bytes, gathered.bag.files.get(id)),
    }))

export const toDetails = (gathered: Gathered, taskId: string) => ({
  comments: toComments(gathered, taskId),
  time_entries: toEntries(gathered, taskId),
  attachments: toAttachments(gathered, taskId),
})
