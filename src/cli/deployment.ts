// The deployment that the flags of `verify` and `pull` name.

export interface DeploymentFlags {
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly answers?: string
  readonly insecure?: true
}

/** @throws {Error} naming the missing flag */
export function deploymentOf({ baseUrl, apiKey = process.env.WORKSPACE_API_KEY, insecure }: DeploymentFlags) {
  if (baseUrl === undefined)
    throw new Error('--base-url is missing: the address of the deployment, which ends with /v1')
  if (apiKey === undefined || apiKey === '')
    throw new Error('--api-key is missing, and WORKSPACE_API_KEY is not set')
  if (insecure) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  return { baseUrl, apiKey }
}
