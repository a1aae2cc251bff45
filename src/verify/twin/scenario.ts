// The shape of a scenario: a few requests to both sides, each under a sentence that holds for it.
import type { OperationId } from '../../contract/index.ts'
import { sourceOf, type Source, type SourceText } from '../engine/drift.ts'
import type { Play } from './play.ts'

export interface Scenario {
  /** With an operation it names a check: `createRow/text`. */
  readonly id: string
  /** Whose responses are compared; the first is what the scenario is about. */
  readonly operations: readonly OperationId[]
  readonly needs: 'read' | 'write'
  readonly says: string
  readonly source: Source
  /**
   * Sends the requests, of which it sees the mock's responses alone.
   * @throws {Unreachable} where the workspace lacks what it needs
   */
  readonly play: (play: Play) => Promise<unknown>
}

const titled = /^([^/]+)\/(\S+): (.+)$/s

const scenariosThat =
  (needs: Scenario['needs']) =>
  /** By operations, separated by spaces, id and what holds: `createRow getRow/text: a text is read as written`. */
  (source: SourceText, plays: Readonly<Record<string, Scenario['play']>>): Scenario[] =>
    Object.entries(plays).map(([title, play]) => {
      const [, names = '', id = '', says = ''] = titled.exec(title) ?? []
      return {
        id,
        operations: names.split(' ') as OperationId[],
        needs,
        says,
        source: sourceOf(source),
        play,
      }
    })

/** Scenarios that only read. */
export const reading = scenariosThat('read')
/** Scenarios that write in the space and rows of the run. */
export const writing = scenariosThat('write')
