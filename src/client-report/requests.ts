// Rules for requests that are wrong as a whole: errors no other rule names, and unencoded storage keys.
import type { Exchange } from '../core/journal/journal.ts'
import { shown, type Context } from './context.ts'
import type { Findings } from './findings.ts'
import { isBareStorageKey } from '../core/request/route.ts'

function errorOf({ responseBody }: Exchange): string {
  if (typeof responseBody !== 'string') return ''
  const { error } = JSON.parse(responseBody) as { readonly error?: unknown }
  return String(error)
}

/** Rules client-error and storage-key-encoding. An error that a fault made says nothing about the request. */
export class ErrorRules {
  readonly #findings: Findings

  constructor(findings: Findings) {
    this.#findings = findings
  }

  add(exchange: Exchange, { isReported }: Context): void {
    const { id, method, path, operation, status, fault, headers } = exchange
    if (fault !== null || isReported) return
    if (status === 404 && operation === null) {
      if (isBareStorageKey(method, path)) {
        const key = path.slice(path.indexOf('/attachments/') + '/attachments/'.length)
        const what = () => `The storage key ${shown(key)} stood in the path of a ${method}`
        this.#findings.add({ rule: 'storage-key-encoding', cause: path, operation, request: id, what })
        return
      }
      const hint = headers['x-mock-hint']
      const what = () =>
        `${shown(`${method} ${path}`)} is not an operation${hint === undefined ? '' : ` (${hint})`}`
      this.#findings.add({
        rule: 'client-error',
        cause: `${method} ${path}`,
        operation,
        request: id,
        what,
      })
    } else if (status === 400) {
      const error = errorOf(exchange)
      const what = () => `${String(operation)} was refused: ${error}`
      this.#findings.add({
        rule: 'client-error',
        cause: `${String(operation)} ${error}`,
        operation,
        request: id,
        what,
      })
    }
  }
}
