// The options that name a deployment for `verify` and `pull`.
import { Option, type Command } from 'commander'
import { parseBytes, parseTimeout } from './arguments.ts'

export interface DeploymentFlags {
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly answers?: string
  readonly insecure?: true
  readonly responseTimeout?: number
  readonly responseBytes?: number
}

export const addDeploymentOptions = (command: Command): Command =>
  command
    .option('--base-url <url>', 'address of the deployment, which ends with /v1')
    .addOption(new Option('--api-key <key>', 'key of the workspace').env('WORKSPACE_API_KEY'))
    .option('--insecure', 'accept any certificate, as NODE_TLS_REJECT_UNAUTHORIZED=0 does')
    .option(
      '--response-timeout <time>',
      'maximum time for a response, such as 60s (the default)',
      parseTimeout,
    )
    .option('--response-bytes <size>', 'maximum size of a response, such as 100MB (the default)', parseBytes)

export function deploymentOf(flags: DeploymentFlags) {
  const { baseUrl, apiKey, insecure, responseTimeout: responseTimeoutMs, responseBytes } = flags
  if (baseUrl === undefined)
    throw new Error('--base-url is required: the address of the deployment, which ends with /v1')
  if (apiKey === undefined || apiKey === '')
    throw new Error('--api-key is required, because WORKSPACE_API_KEY is not set')
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new Error(
      '--api-key must consist of visible ASCII characters; received others, such as a space or a line break',
    )
  if (insecure) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  return { baseUrl, apiKey, responseTimeoutMs, responseBytes }
}
