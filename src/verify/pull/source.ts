// What a pull reads from: a deployment through its API, or a recording.
import { operations, type OperationId } from '../../contract/index.ts'
import { filledPath } from '../../contract/operation.ts'
import type { Params } from '../engine/ledger.ts'
import type { Reply } from '../engine/reply.ts'
import type { Note } from './losses.ts'

/** Where response bodies are kept by request; a `Map` is one. They hold what the deployment holds, never the key. */
export interface KeptReads {
  get(request: string): unknown
  set(request: string, body: unknown): unknown
}

export type Query = Readonly<Record<string, number>>

/** What is read from: a deployment, or a recording, which has no response to much. */
export interface Source {
  readonly isRecorded: boolean
  read(operation: OperationId, params: Params, query: Query): Promise<Reply | undefined>
  /** The response to the download of a file, of so many bytes at most. */
  download(params: Params, mostBytes: number): Promise<Reply | undefined>
}

/** A request as a sentence names it. */
export const requestNote = (operation: OperationId, params: Params): Note => {
  const { method, path } = operations[operation]
  return {
    text: `${method} ${filledPath(path, (name) => params[name] ?? '')}`,
    anonymous: `${method} ${path}`,
  }
}
