// Command `stop`: ends a server, and waits until it is gone.
import { setTimeout } from 'node:timers/promises'
import { messageOf } from '../../contract/text/format.ts'

export interface StopFlags {
  readonly url: URL
  readonly timeout: number
  readonly controlToken?: string
}

const checkEveryMs = 50

async function isListening(origin: string): Promise<boolean> {
  try {
    await fetch(`${origin}/__mock/health`, { method: 'HEAD', signal: AbortSignal.timeout(checkEveryMs * 10) })
    return true
  } catch (error) {
    return (error as Error).name === 'TimeoutError'
  }
}

export async function stopCommand({ url: { origin }, timeout, controlToken }: StopFlags): Promise<void> {
  const endMs = performance.now() + timeout
  const token = controlToken ?? process.env.WORKSPACE_MOCK_TOKEN ?? ''
  const response = await fetch(`${origin}/__mock/stop`, {
    method: 'POST',
    headers: token === '' ? {} : { 'x-mock-token': token },
    signal: AbortSignal.timeout(timeout),
  }).catch((error: unknown) => {
    const { cause = error } = error as Error
    throw new Error(`no server responds at ${origin}: ${messageOf(cause)}`, { cause: error })
  })
  const { error } = (await response.json().catch(() => ({}))) as { error?: string }
  if (!response.ok && response.status !== 500)
    throw new Error(
      `${origin} refused to stop (status ${String(response.status)}): ${error ?? 'no reason given'}`,
    )
  while (await isListening(origin)) {
    if (performance.now() > endMs)
      throw new Error(`${origin} still responds after ${String(timeout / 1000)} s`)
    await setTimeout(checkEveryMs)
  }
  if (!response.ok) throw new Error(error ?? 'the server stopped, but not all of its files were written')
}
