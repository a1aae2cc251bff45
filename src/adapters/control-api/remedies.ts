// Formats remedies as commands for HTTP clients.
import { toCurlCommand } from '../../contract/text/curl.ts'
import type { Remedy } from '../../mock/explain/reasons.ts'
import { findControl } from './table.ts'
import { requestOf } from './wire.ts'

/** Writes the command that carries out a remedy at a control API's address. A remedy that is not a control stays a line of a test. */
export const createRemedyWriter =
  (address: string) =>
  ({ control, args, code }: Remedy): string => {
    const route = findControl(control)
    if (!route) return code
    const { method, path, body } = requestOf(route, args)
    const url = `${address}${path}`
    if (body === undefined) return toCurlCommand({ method, url, headers: [] })
    const headers = [['content-type', 'application/json']] as const
    return toCurlCommand({ method, url, headers, body: JSON.stringify(body) })
  }
