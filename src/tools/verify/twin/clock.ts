// The deployment's clock, as its responses show it; the mock's clock is set to it before each request.
import { isObject } from '../../../contract/data/objects.ts'
import type { OperationId } from '../../../contract/index.ts'
import type { CallOptions } from '../../deployment/client.ts'
import type { Reply } from '../../deployment/reply.ts'
import type { Context } from '../../deployment/start.ts'
import { Stop } from '../../deployment/stop.ts'

const timesOf = (records: unknown, id: string): number[] =>
  (Array.isArray(records) ? records : [records]).flatMap((record: unknown) => {
    if (!isObject(record) || record.id !== id) return []
    const { created_at: time } = record
    return typeof time === 'number' && time >= 0 && time <= latestSecond ? [time] : []
  })

/** The end of the year 9999. */
const latestSecond = 253_402_300_799

export class DeploymentClock {
  readonly #context: Context
  /** Milliseconds the deployment's clock is ahead of the run's. */
  #offsetMs: number

  constructor(context: Context, seconds: number) {
    this.#context = context
    this.#offsetMs = seconds * 1000 - context.nowMs()
  }

  nowMs(): number {
    return this.#context.nowMs() + this.#offsetMs
  }

  /** Calls the deployment. @returns the response, and the deployment's time when it was made */
  async call(operation: OperationId, options: CallOptions): Promise<{ theirs: Reply; atMs: number }> {
    const { api } = this.#context
    const { retries } = api.transport
    const startMs = this.nowMs()
    const theirs = await api.call(operation, options)
    const endMs = this.nowMs()
    // A retried request was carried out after the wait, not halfway through it.
    return { theirs, atMs: api.transport.retries > retries ? endMs : (startMs + endMs) / 2 }
  }

  /** Sets the clock from the times of a task and a comment that it creates, if the deployment shows them. */
  async calibrate(listId: string): Promise<void> {
    const { api, newText } = this.#context
    const inList = { params: { listId } }
    try {
      const task = await this.call('createTask', { ...inList, json: { title: newText() } })
      const taskId = String(task.theirs.field('id'))
      const params = { taskId }
      const comment = await this.call('createComment', { params, json: { content: newText() } })
      const commentId = String(comment.theirs.field('id'))
      const comments = (await api.call('listComments', { params })).field('comments')
      const tasks = (await api.call('listTasks', { ...inList, query: { limit: 200 } })).field('tasks')
      const alone = (await api.call('getTask', { params })).json
      const errorOf = (atMs: number) => (seconds: number) => seconds * 1000 + 500 - atMs
      const errorsMs = [
        ...[...timesOf(alone, taskId), ...timesOf(tasks, taskId)].map(errorOf(task.atMs)),
        ...timesOf(comments, commentId).map(errorOf(comment.atMs)),
      ].sort((a, b) => a - b)
      this.#offsetMs += errorsMs[Math.floor(errorsMs.length / 2)] ?? 0
      await api.call('deleteComment', { params: { taskId, commentId } })
      await api.call('deleteTask', { params })
    } catch (error) {
      if (!(error instanceof Stop)) throw error
    }
  }
}
