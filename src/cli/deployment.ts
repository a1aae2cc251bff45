// What `verify` and `pull` have in common: the deployment that the flags name, and how a run is interrupted.

export interface DeploymentFlags {
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly answers?: string
  readonly insecure?: true
}

/** @throws {Error} that says which flag is missing */
export function deploymentOf({ baseUrl, apiKey = process.env.WORKSPACE_API_KEY, insecure }: DeploymentFlags) {
  if (baseUrl === undefined)
    throw new Error('--base-url is missing: the address of the deployment, which ends with /v1')
  if (apiKey === undefined || apiKey === '')
    throw new Error('--api-key is missing, and WORKSPACE_API_KEY is not set')
  if (insecure) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  return { baseUrl, apiKey }
}

/** Interrupts the run at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function interruption(message: string): AbortSignal {
  const controller = new AbortController()
  const end = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
    process.stderr.write(`\n${message}\n`)
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  return controller.signal
}
