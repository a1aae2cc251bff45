// Owns where the console gets what it shows and sends what it changes: one interface, whatever lies behind it.
import type { Answers, QuestionRecord } from '../../contract/questions/register.ts'
import type { FormSubmission } from '../../contract/forms.ts'
import type { LimitName } from '../../contract/errors.ts'
import type { Plan } from '../../contract/identity.ts'
import type { FaultSpec, FaultState } from '../../core/faults.ts'
import type { JournalEntry } from '../../core/journal.ts'
import type { Finding } from '../../client-report/report.ts'
import type { ClockMode } from '../../store/clock.ts'
import type { Overview, RowPage, WorkspaceOverview } from '../../controls/inspect.ts'
import type { TaskRecord } from '../../contract/tasks.ts'

/** A world: the main one, or a sandbox. What it refuses rejects with an Error that says why. */
export interface WorldSource {
  overview(): Promise<Overview>
  /** The latest so many requests after a journal id, oldest first. */
  requests(query: { readonly after: number; readonly limit: number }): Promise<readonly JournalEntry[]>
  clearRequests(): Promise<unknown>
  har(): Promise<unknown>
  report(assumptions: boolean): Promise<readonly Finding[]>
  rows(tableId: string, page: { readonly offset: number; readonly limit: number }): Promise<RowPage>
  tasks(listId: string): Promise<readonly TaskRecord[]>
  submissions(formId: string): Promise<readonly FormSubmission[]>
  setClock(change: { readonly now?: number; readonly mode?: ClockMode }): Promise<unknown>
  advance(by: number | string): Promise<unknown>
  faults(): Promise<readonly FaultState[]>
  addFault(spec: FaultSpec): Promise<unknown>
  removeFault(id: string): Promise<unknown>
  clearFaults(): Promise<unknown>
  changeWorkspace(workspace: WorkspaceOverview, change: WorkspaceChange): Promise<unknown>
  suspendKey(key: string, suspended: boolean): Promise<unknown>
  lockTable(tableId: string, locked: boolean): Promise<unknown>
  restoreTask(taskId: string): Promise<unknown>
  publishForm(formId: string, published: boolean): Promise<unknown>
  submitForm(formId: string, data: Readonly<Record<string, unknown>>): Promise<unknown>
  answers(): Promise<Answers>
  setAnswers(answers: Readonly<Record<string, unknown>>): Promise<unknown>
  snapshots(): Promise<readonly string[]>
  saveSnapshot(name: string): Promise<unknown>
  restoreSnapshot(name: string): Promise<unknown>
  deleteSnapshot(name: string): Promise<unknown>
  reset(): Promise<unknown>
}

export interface WorkspaceChange {
  readonly plan?: Plan
  readonly billing?: 'ok' | 'lapsed'
  readonly limits?: Readonly<Partial<Record<LimitName, number | null>>>
}

/** A mock. */
export interface ConsoleSource {
  /** Base address of its API; ends with /v1. */
  readonly baseUrl: string
  fixture(): Promise<string>
  questions(): Promise<readonly QuestionRecord[]>
  /** Names of its sandboxes. */
  sandboxes(): Promise<readonly string[]>
  /** A sandbox, or without a name the main world. */
  world(sandbox: string | null): WorldSource
}
