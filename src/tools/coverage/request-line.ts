// Tells how to produce an outcome of an operation over HTTP: a request to the control API or to the API itself.
import { operations } from '../../contract/index.ts'
import { getControl } from '../../adapters/control-api/table.ts'
import { requestOf } from '../../adapters/control-api/wire.ts'
import type { WriteStep } from './lines.ts'

/** Formats a step as a request: `POST /__mock/faults {"operation":"listTasks","status":503}`. */
export const toRequestLine: WriteStep = (step) => {
  if ('operation' in step) {
    const { method, path } = operations[step.operation]
    return [method, `/v1${path}`, ...(step.note === undefined ? [] : [step.note])].join(' ')
  }
  const { method, path, body } = requestOf(getControl(step.control), step.args)
  // Keeps the braces around ids readable.
  const address = `/__mock${path.replaceAll('%7B', '{').replaceAll('%7D', '}')}`
  return [method, address, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' ')
}
