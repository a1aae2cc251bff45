// Rules for requests that are wrong as a whole: errors no other rule names, and unencoded storage keys.
import type { OpenExchange } from '../requests/exchange.ts'
import { shorten } from '../../contract/text/quote.ts'
import { parseJsonObject } from './request.ts'
import type { Findings } from './findings.ts'
import { isBareStorageKey } from '../requests/route.ts'

/** Rules client-error and storage-key-encoding. An error that a fault made says nothing about the request. */
export function addErrorFindings(findings: Findings, exchange: OpenExchange): void {
  const { operation, status, isInjected, response } = exchange
  const { method, path, outside } = exchange.call
  if (isInjected || response.reported === true) return
  if (status === 404 && operation === null) {
    if (isBareStorageKey(method, path)) {
      const key = path.slice(path.indexOf('/attachments/') + '/attachments/'.length)
      const text = `The storage key ${shorten(key)} was sent unencoded in the path of a ${method}`
      findings.add(exchange, 'storage-key-encoding', '', text)
      return
    }
    const hint = response.headers['x-mock-hint']
    const target = `${method} ${outside ?? path}`
    const text = `${shorten(target)} is not an operation${hint === undefined ? '' : ` (${hint})`}`
    findings.add(exchange, 'client-error', target, text)
  } else if (status === 400 && !exchange.observations.some(({ rule }) => rule === 'empty-patch')) {
    const error = String(parseJsonObject(response.body)?.error)
    const before = `${String(operation)} was refused:`
    findings.addBreach(exchange, {
      rule: 'client-error',
      // What one operation is refused for is one cause, whatever values the messages name.
      signs: [`${before} ${error}`, before],
      describe: () => ({ item: error, before, beforeMany: before }),
    })
  }
}
