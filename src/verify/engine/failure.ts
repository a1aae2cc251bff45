// Why a request got no response, in words: the innermost cause that the platform gives.
import { isObject } from '../../contract/data/objects.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Code and message of the innermost error: `fetch failed` hides the reason in its cause. */
function innermost(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message, cause, errors } = Object(error) as JsonObject
  const inner = cause ?? (Array.isArray(errors) ? (errors as unknown[])[0] : undefined)
  return isObject(inner) ? innermost(inner) : { code: textOf(code), message: textOf(message) }
}

const certificates =
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_MISMATCH/

/**
 * A cause that a retry cannot change, in words; undefined for temporary ones. Certificates first, since they are
 * what a user can do something about.
 */
export function lastingCauseOf(error: unknown): string | undefined {
  const { code: name, message } = innermost(error)
  if (/ERR_SSL|EPROTO/.test(name))
    return `it does not speak TLS as expected (${name}); is it http, not https?`
  if (certificates.test(name))
    return `its certificate is not trusted (${message || name}); --insecure (or NODE_TLS_REJECT_UNAUTHORIZED=0) accepts it, NODE_EXTRA_CA_CERTS=FILE adds an authority`
  if (name === 'ECONNREFUSED') return 'the connection was refused (ECONNREFUSED); nothing listens there'
  if (message === 'bad port') return 'fetch refuses its port, which is kept for another protocol (bad port)'
  if (name === 'ENOTFOUND') return 'the host name is not known (ENOTFOUND)'
  return undefined
}

/** The reason in words. */
export function causeOf(error: unknown): string {
  const { code, message } = innermost(error)
  return lastingCauseOf(error) ?? ([message, code].filter((part) => part !== '').join(', ') || String(error))
}
