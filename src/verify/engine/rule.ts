// The shape of a rule for a deployment, and what its check works with.
import type { OperationId } from '../../contract/index.ts'
import type { Answers } from '../../contract/questions/register.ts'
import type { Client } from './client.ts'
import type { Discovery } from './discovery.ts'
import { sourceOf, type Source, type SourceText, type Subject } from './drift.ts'
import type { Own } from './own.ts'
import type { Wait } from './transport.ts'

/** What a check works with: the client, what was found in the deployment, and what the run may write to. */
export interface Context {
  /** Calls are about something of the run's own where a parameter of the path is left out. */
  readonly api: Client
  /** What is assumed where the contract is silent. */
  readonly answers: Answers
  readonly seen: Discovery
  readonly own: Own
  readonly mayWrite: boolean
  readonly wait: Wait
  /** Milliseconds from an arbitrary moment. */
  readonly nowMs: () => number
}

/** A new task of the run's own, which calls are about. */
export interface OwnTask extends Context {
  readonly taskId: string
}

export async function ownTask(context: Context): Promise<OwnTask> {
  const taskId = await context.own.task()
  return { ...context, taskId, api: context.api.at({ taskId }) }
}

export interface Rule {
  /** Together with the operation it is the rule's name. */
  readonly id: string
  readonly operation: Subject
  readonly source: Source
  /** `write` rules are checked only where writing is allowed. */
  readonly needs: 'read' | 'write'
  /** What holds in a deployment that keeps the rule. */
  readonly says: string
  /**
   * Passes by returning.
   * @throws {Drift} if the deployment breaks the rule
   * @throws {Unreachable} if that cannot be decided
   */
  readonly check: (context: Context) => Promise<unknown>
}

/**
 * Names a rule and says what holds. Its source stands at the end where it is not that of the rules around it, as in
 * `getTask/as-listed: … (contract, Task)` or `… (assumption listOrder)`; a title that names a question needs none.
 */
export type Title = `${Subject}/${string}: ${string}`

const titleParts =
  /^(?<operation>\w+)\/(?<id>.+?): (?<says>.*?)(?: \((?<named>contract, .+|assumption \w+)\))?$/s

function partsOf(title: string, around: SourceText) {
  const { operation, id = '', says = '', named } = titleParts.exec(title)?.groups ?? {}
  const question = /\bquestion (\w+)/.exec(says)?.[1]
  const source = sourceOf((named ?? (question ? `assumption ${question}` : around)) as SourceText)
  return { operation: operation as OperationId, id, says, source }
}

/** Checks what its rules are about, by the operation and source of the rule. */
export type Check<Given> = (given: Given, operation: OperationId, source: Source) => unknown

/** Makes rules whose checks are about one kind of thing, which `find` provides for each and `end` cleans up after. */
export const rulesOn =
  <Given>(
    needs: Rule['needs'],
    find: (context: Context) => Given | Promise<Given>,
    end?: (given: Given) => Promise<void>,
  ) =>
  (source: SourceText, checks: Readonly<Record<Title, Check<Given>>>): Rule[] =>
    Object.entries(checks).map(([title, checkGiven]) => {
      const parts = partsOf(title, source)
      const check = async (context: Context) => {
        const given = await find(context)
        try {
          await checkGiven(given, parts.operation, parts.source)
        } finally {
          await end?.(given)
        }
      }
      return { ...parts, needs, check }
    })

export const readRules = rulesOn('read', (context) => context)
export const writeRules = rulesOn('write', (context) => context)
