// Formats remedies as commands for HTTP clients.
import { toCurlCommand } from '../../contract/text/curl.ts'
import type { Remedy } from '../../mock/explain/reasons.ts'
import { findControl } from './table.ts'
import { requestOf } from './wire.ts'

/** Formats a remedy as a command for the control API at an address; as a line of test code if it is not a control. */
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
