// Owns the writing of a fixture's forms with their submissions, and of its jobs.
import { quote } from '../contract/quote.ts'
import type { FormInput, JobInput, SubmissionInput } from './seed-schema.ts'
import { assertOwn } from './fixture-tables.ts'
import { jsonCopy, type FixtureWriter } from './fixture-writer.ts'
import type { FormRecord } from './forms.ts'
import type { WorkspaceRecord } from './workspaces.ts'

export function writeForms(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  inputs: readonly FormInput[],
  path: string,
): void {
  for (const [index, input] of inputs.entries()) {
    const at = `${path}[${String(index)}]`
    const existing = writer.existing('forms', input, at, ['submissions'])
    const form = existing ?? newForm(writer, workspace, input, at)
    if (!form) continue
    assertOwn(writer, workspace, form, `form ${quote(form.id)}`, at)
    const submissions = input.submissions ?? []
    for (const [i, submission] of submissions.entries())
      writeSubmission(writer, form, submission, `${at}.submissions[${String(i)}]`)
    if (existing && submissions.length > 0)
      writer.world.forms.put({ ...form, submission_count: form.submission_count + submissions.length })
  }
}

const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

function newForm(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  input: FormInput,
  path: string,
): FormRecord | undefined {
  const { target_type, target_id, submissions = [] } = input
  const name = writer.named('forms', input.name, path, 'name', input.id)
  const { created_at = writer.now, updated_at = created_at, submission_count = submissions.length } = input
  const { field_config = [], rules = [], settings = {}, is_published = 1 } = input
  if (
    name === undefined ||
    !writer.has(target_type, path, 'target_type', input.id) ||
    !writer.has(target_id, path, 'target_id', input.id)
  )
    return undefined
  const targets = target_type === 'task' ? writer.world.lists.all() : writer.world.tables.all()
  const own = targets.filter(({ workspace_id }) => workspace_id === workspace.id)
  writer.mustBeOneOf(
    target_id,
    own.map(({ id }) => id),
    `${path}.target_id`,
  )
  if (submission_count < submissions.length)
    writer.problems.add(
      `${path}.submission_count`,
      `must be at least the number of submissions, ${String(submissions.length)}; received ${String(submission_count)}`,
    )
  const form: FormRecord = {
    id: writer.id('forms', input.id),
    workspace_id: workspace.id,
    name,
    slug: input.slug ?? slugOf(name),
    target_type: target_type === 'task' ? 'task' : 'datatable',
    target_id,
    is_published: is_published === 1 || is_published === true ? 1 : 0,
    submission_count,
    field_config: jsonCopy(field_config),
    rules: jsonCopy(rules),
    settings: jsonCopy(settings),
    created_at,
    updated_at,
  }
  return writer.put('forms', form, path)
}

function writeSubmission(
  writer: FixtureWriter,
  form: FormRecord,
  input: SubmissionInput,
  path: string,
): void {
  const created_entity_type = form.target_type === 'task' ? 'task' : 'datatable_row'
  if (input.created_entity_type !== undefined && input.created_entity_type !== created_entity_type)
    writer.problems.add(
      `${path}.created_entity_type`,
      `must be ${created_entity_type}, as the form has it; received ${quote(input.created_entity_type)}`,
    )
  const submission = {
    id: writer.id('submissions', input.id),
    workspace_id: form.workspace_id,
    form_id: form.id,
    data: jsonCopy(input.data ?? {}),
    created_entity_type,
    created_entity_id: input.created_entity_id,
    created_at: input.created_at ?? writer.now,
  } as const
  writer.put('submissions', submission, path)
}

export function writeJobs(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  inputs: readonly JobInput[],
  path: string,
): void {
  for (const [index, input] of inputs.entries())
    writeJob(writer, workspace, input, `${path}[${String(index)}]`)
}

function writeJob(writer: FixtureWriter, workspace: WorkspaceRecord, input: JobInput, path: string): void {
  const { world, problems } = writer
  const { table_id, rows = [], status = 'queued', submitted = rows.length, messages = [], errors = 0 } = input
  const { created_ms = world.clock.nowMs(), updated_ms = created_ms } = input
  const tables = world.tables.all().filter(({ workspace_id }) => workspace_id === workspace.id)
  writer.mustBeOneOf(
    table_id,
    tables.map(({ id }) => id),
    `${path}.table_id`,
  )
  const hasEnded = status === 'done' || status === 'failed'
  if (hasEnded && input.rows !== undefined)
    problems.add(
      `${path}.rows`,
      `must be left out of a job that is ${status}; received ${String(rows.length)} rows`,
    )
  if (!hasEnded && (rows.length === 0 || rows.length !== submitted))
    problems.add(
      `${path}.rows`,
      `must hold the submitted rows of a job that is ${status}; received ${String(rows.length)} rows`,
    )
  const { completed_ms = hasEnded ? updated_ms : null, handled = hasEnded ? submitted : 0 } = input
  if (hasEnded !== (completed_ms !== null))
    problems.add(
      `${path}.completed_ms`,
      `must be set when and only when the job has ended; received ${quote(completed_ms)}`,
    )
  const job = {
    id: writer.id('jobs', input.id),
    workspace_id: workspace.id,
    table_id,
    table_name: input.table_name ?? world.tables.get(table_id)?.name ?? '',
    status,
    created_ms,
    updated_ms,
    completed_ms,
    submitted,
    handled,
    row_count: input.row_count ?? (status === 'done' ? handled : 0),
    errors,
    messages,
  }
  writer.put('jobs', job, path)
  if (!hasEnded) world.payloads.set(job.id, jsonCopy(rows))
}
