// Owns the writing of a fixture's workspaces with their members and keys, and the order in which all else is written.
import { defaultScopes } from '../contract/scopes.ts'
import { quote } from '../contract/quote.ts'
import { writeForms, writeJobs } from './fixture-forms.ts'
import { writeLists, writeSpaces } from './fixture-lists.ts'
import type { KeyInput, MemberInput, SeedInput, WorkspaceInput } from './seed-schema.ts'
import { writeTables } from './fixture-tables.ts'
import { writeTasks } from './fixture-tasks.ts'
import type { FixtureWriter } from './fixture-writer.ts'
import type { WorkspaceRecord } from './workspaces.ts'

type Contents = Omit<SeedInput, 'workspaces' | 'files'>
const contents = ['members', 'keys', 'tables', 'spaces', 'forms', 'jobs']

export function writeWorkspaces(writer: FixtureWriter, inputs: readonly WorkspaceInput[]): void {
  for (const [index, input] of inputs.entries()) {
    const path = `workspaces[${String(index)}]`
    const workspace =
      writer.existing('workspaces', input, path, contents) ?? newWorkspace(writer, input, path)
    writeContents(writer, workspace, input, `${path}.`)
  }
}

/** @param prefix of paths, with the dot; empty for what is seeded into the first workspace */
export function writeContents(
  writer: FixtureWriter,
  existing: WorkspaceRecord,
  input: Contents,
  prefix: string,
): void {
  const workspace = withMembers(writer, existing, input.members ?? [], `${prefix}members`)
  writeKeys(writer, workspace, input.keys ?? [], `${prefix}keys`)
  writeTables(writer, workspace, input.tables ?? [], `${prefix}tables`)
  writeSpaces(writer, workspace, input.spaces ?? [], `${prefix}spaces`)
  writeLoose(writer, workspace, input)
  writeForms(writer, workspace, input.forms ?? [], `${prefix}forms`)
  writeJobs(writer, workspace, input.jobs ?? [], `${prefix}jobs`)
}

/** What is seeded without a home: lists go to the first space, tasks to the default list of it. */
function writeLoose(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  { lists = [], tasks = [] }: Contents,
): void {
  if (lists.length === 0 && tasks.length === 0) return
  const space = writer.world.spaces.all().find(({ workspace_id }) => workspace_id === workspace.id)
  writeLists(writer, workspace, space, lists, 'lists')
  const list = space && writer.world.lists.get(space.default_list_id)
  if (list) writeTasks(writer, workspace, list, tasks, 'tasks')
  else if (tasks.length > 0) writer.problems.add('tasks', 'must stand in a list: the workspace has no space')
}

function newWorkspace(writer: FixtureWriter, input: WorkspaceInput, path: string): WorkspaceRecord {
  const id = writer.id('workspaces', input.id)
  const { name = id, plan = 'pro', timezone = 'UTC', billing = 'ok', limits = {} } = input
  if (!writer.knowsTimezones && !isTimezone(timezone))
    writer.problems.add(
      `${path}.timezone`,
      `must be the IANA name of a time zone such as UTC or Europe/Lisbon; received ${quote(timezone)}`,
    )
  return writer.put('workspaces', { id, name, plan, timezone, billing, limits, members: [] }, path)
}

function isTimezone(name: string): boolean {
  if (name === 'UTC') return true
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function withMembers(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  inputs: readonly MemberInput[],
  path: string,
): WorkspaceRecord {
  if (inputs.length === 0) return workspace
  const members = [...workspace.members]
  const taken = new Set(members.map(({ id }) => id))
  for (const [index, { id: given, name: called }] of inputs.entries()) {
    const id = given ?? writer.world.runtime.nextId('member', (next) => taken.has(next))
    const name = called ?? id
    if (taken.has(id))
      writer.problems.add(`${path}[${String(index)}].id`, `must be one of a kind; ${quote(id)} is taken`)
    taken.add(id)
    members.push({ id, name })
    writer.made.members.push(id)
  }
  return writer.world.workspaces.put({ ...workspace, members })
}

function writeKeys(
  writer: FixtureWriter,
  workspace: WorkspaceRecord,
  inputs: readonly KeyInput[],
  path: string,
): void {
  const names = new Set(writer.world.keys.all().map(({ name }) => name))
  const scopesKnown = [
    ...new Set([...Object.values(defaultScopes), ...Object.values(writer.world.answers.scopes)]),
  ]
  for (const [index, input] of inputs.entries()) {
    const at = `${path}[${String(index)}]`
    const { key, name = key, kind = 'master', scopes = [], suspended = false } = input
    if (names.has(name)) writer.problems.add(`${at}.name`, `must be one of a kind; ${quote(name)} is taken`)
    names.add(name)
    for (const [position, scope] of scopes.entries())
      writer.mustBeOneOf(scope, scopesKnown, `${at}.scopes[${String(position)}]`)
    const member_id = writer.member(workspace, input.member_id, `${at}.member_id`)
    writer.put('keys', { id: key, workspace_id: workspace.id, name, kind, scopes, member_id, suspended }, at)
  }
}
