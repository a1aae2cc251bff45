// Rules for requests that are wrong as a whole: errors no other rule names, and unencoded storage keys.
import type { OpenExchange } from '../requests/exchange.ts'
import { shorten } from '../../contract/text/quote.ts'
import { parseJsonObject } from './request.ts'
import type { Findings } from './findings.ts'
import { isBareStorageKey } from '../requests/route.ts'

/** Rules client-error and storage-key-encoding. An error that a fault made says nothing about the request. */
export function addErrorFindings(findings: Findings, exchange: OpenExchange): void {
  const { method, path, operation, status, isInjected, headers, isReported } = exchange
  if (isInjected || isReported) return
  if (status === 404 && operation === null) {
    if (isBareStorageKey(method, path)) {
      const key = path.slice(path.indexOf('/attachments/') + '/attachments/'.length)
      const what = () => `The storage key ${shorten(key)} was sent unencoded in the path of a ${method}`
      findings.add(exchange, 'storage-key-encoding', path, what)
      return
    }
    const hint = headers['x-mock-hint']
    const target = `${method} ${exchange.outside ?? path}`
    const what = () => `${shorten(target)} is not an operation${hint === undefined ? '' : ` (${hint})`}`
    findings.add(exchange, 'client-error', target, what)
  } else if (status === 400) {
    const error = String(parseJsonObject(exchange.responseBody)?.error)
    const what = () => `${String(operation)} was refused: ${error}`
    findings.add(exchange, 'client-error', `${String(operation)} ${error}`, what)
  }
}
