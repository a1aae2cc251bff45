// Why a request got no response, in words: the innermost cause that the platform gives.

interface Caused {
  readonly message?: unknown
  readonly code?: unknown
  readonly cause?: unknown
  readonly errors?: unknown
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** The innermost error: `fetch failed` hides the reason in its cause. */
function innermost(error: unknown): Caused {
  let at: Caused = Object(error) as Caused
  for (;;) {
    const [first] = Array.isArray(at.errors) ? (at.errors as unknown[]) : []
    const inner = at.cause ?? first
    if (typeof inner !== 'object' || inner === null) return at
    at = inner
  }
}

const certificates =
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_MISMATCH/

/**
 * A cause that a retry cannot change, in words; undefined for temporary ones. Certificates first, since they are
 * what a user can do something about.
 */
export function lastingCauseOf(error: unknown): string | undefined {
  const { code, message } = innermost(error)
  const name = textOf(code)
  if (/ERR_SSL|EPROTO/.test(name))
    return `it does not speak TLS as expected (${name}); is it http, not https?`
  if (certificates.test(name))
    return `its certificate is not trusted (${textOf(message) || name}); --insecure (or NODE_TLS_REJECT_UNAUTHORIZED=0) accepts it, NODE_EXTRA_CA_CERTS=FILE adds an authority`
  if (name === 'ECONNREFUSED') return 'the connection was refused (ECONNREFUSED); nothing listens there'
  if (message === 'bad port') return 'fetch refuses its port, which is kept for another protocol (bad port)'
  if (name === 'ENOTFOUND') return 'the host name is not known (ENOTFOUND)'
  return undefined
}

/** The reason in words. */
export function causeOf(error: unknown): string {
  const { code, message } = innermost(error)
  const [name, text] = [textOf(code), textOf(message)]
  return lastingCauseOf(error) ?? ([text, name].filter((part) => part !== '').join(', ') || String(error))
}
