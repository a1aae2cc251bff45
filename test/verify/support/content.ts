// What a mock holds, to tell whether a run has left something behind.
import { expect } from 'vitest'
import type { WorkspaceMock } from 'workspace-api-mock'

/** Everything the workspaces hold, except counters and the clock. */
export const contentOf = (mock: WorkspaceMock): any => {
  const { workspaces, files } = mock.state() as any
  // Jobs cannot be deleted, as in any deployment.
  return { workspaces: workspaces.map((workspace: any) => ({ ...workspace, jobs: undefined })), files }
}

/** Content without a run's spaces; all their tasks must be deleted. */
export function contentWithout(mock: WorkspaceMock, marker: string): any {
  const content = contentOf(mock)
  for (const workspace of content.workspaces) {
    for (const { name, lists } of workspace.spaces) {
      if (!name.startsWith(marker)) continue
      const tasks = lists.flatMap((list: any) => list.tasks ?? [])
      for (const { deleted_at, time_entries = [] } of tasks) {
        expect(deleted_at).toEqual(expect.any(Number))
        expect(time_entries).toEqual([])
      }
      // A comment and a file stay in a task that the scenario deletes on purpose.
      const files = tasks.flatMap(({ attachments = [] }: any) => attachments)
      expect(files.length).toBeLessThanOrEqual(1)
      for (const { id } of files) Reflect.deleteProperty(content.files, id)
    }
    workspace.spaces = workspace.spaces.filter(({ name }: any) => !name.startsWith(marker))
  }
  return content
}

/** Content without time entries, because starting a timer may have stopped members' running timers. */
export const withoutTimers = (content: any) =>
  JSON.parse(JSON.stringify(content, (key, value) => (key === 'time_entries' ? [] : value)))
