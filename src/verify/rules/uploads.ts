// Multipart bodies, and files that are too large.
import { Unreachable, type Context } from '../engine/rule.ts'

/** The name and text or bytes of a file, which is sent as text/plain unless given. */
type FilePart = readonly [name: string, content: BlobPart, type?: string]

export function formOf(files: readonly FilePart[], fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const [name, content, type = 'text/plain'] of files)
    form.append('file', new Blob([content], { type }), name)
  return form
}

export const fileForm = (content = 'verify', filename = 'verify.txt', type = 'text/plain') =>
  formOf([[filename, content, type]])

export const formWithoutFile = () => formOf([], { note: 'no file' })

/** A multipart creation of a task. */
export const taskForm = (task: unknown, files: readonly FilePart[]) =>
  formOf(files, task === undefined ? {} : { data: JSON.stringify(task) })

/** The largest size of a file, where a file above it can be made. @throws {Unreachable} */
export async function fileLimit({ seen, answers }: Context): Promise<number> {
  const limit = answers.maxFileBytes[(await seen.identity()).workspace.plan]
  if (limit === null || limit === undefined || limit > 32 * 1024 * 1024)
    throw new Unreachable('no file of a decent size is too large')
  return limit
}
