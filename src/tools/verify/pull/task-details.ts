// Comments, time entries and attachments of a task, as a fixture has them.
import { commentFields } from '../../../contract/comments.ts'
import type { Member } from '../../../contract/schema/common.ts'
import { timeEntryFields, type TimeEntry } from '../../../contract/time-entries.ts'
import type { FixtureAttachment, FixtureComment, FixtureTimeEntry } from '../../../../fixtures/types.ts'
import type { Gathered } from './gathered.ts'
import { findRecords } from './reader.ts'

async function readComments(gathered: Gathered, taskId: string): Promise<FixtureComment[]> {
  const comments = await gathered.reader.list('listComments', { taskId })
  if (comments.length > 0) gathered.notes.add('Which key made a comment is not shown.')
  // Its type follows from the content.
  return comments.map(({ content_type: _, author_id = 'member_unknown', ...comment }) => ({
    ...gathered.toRecord(commentFields, comment),
    author_id: gathered.addPerson(author_id, comment.author_name),
  }))
}

/** Assumption: timeEntryUsers, runningDuration */
async function readEntries(gathered: Gathered, taskId: string): Promise<FixtureTimeEntry[]> {
  const body = await gathered.reader.get('listTimeEntries', { taskId })
  for (const user of findRecords<Member>(body, 'users')) {
    gathered.addPerson(user.id, user.name)
    gathered.observe('timeEntryUsers', 'total_seconds' in user ? 'totals' : 'names')
  }
  return findRecords<TimeEntry>(body, 'entries').map((entry) => {
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

async function readAttachments(gathered: Gathered, taskId: string): Promise<FixtureAttachment[]> {
  const { reader, bounds } = gathered
  const found = await reader.list('listTaskAttachments', { taskId })
  const isRead = bounds.files === true || reader.isRecorded
  if (isRead) reader.planRequests(found.length)
  const attachments: FixtureAttachment[] = []
  for (const { id, filename = 'file', mime_type, size_bytes: listed = 0 } of found) {
    const params = { taskId, attachmentId: id }
    const contents = isRead ? await reader.readFile(params, gathered.spareFileBytes) : undefined
    const size_bytes = gathered.addFile(id, filename, listed, contents)
    attachments.push({ id, filename, ...(mime_type !== undefined && { mime_type }), size_bytes })
  }
  return attachments
}

export const readDetails = async (gathered: Gathered, taskId: string) => ({
  comments: gathered.isWanted('comments') ? await readComments(gathered, taskId) : [],
  time_entries: gathered.isWanted('entries') ? await readEntries(gathered, taskId) : [],
  attachments: gathered.isWanted('files') ? await readAttachments(gathered, taskId) : [],
})
