// The source of a console for a standalone server, through its control API.
import { requestOf } from '../../adapters/control-api/wire.ts'
import type { Signal } from '../../mock/sandboxes/signals.ts'
import {
  AccessError,
  createControlsBySandbox,
  markAsConsole,
  type ConsoleSource,
  type Watcher,
} from './source.ts'

/** @throws {Error} that says why, if the control API refuses the request */
async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  if (response.ok) return response
  const { error } = ((await response.json()) ?? {}) as Readonly<Record<string, unknown>>
  const message = typeof error === 'string' ? error : `the mock responded with ${String(response.status)}`
  throw response.status === 403 ? new AccessError(message) : new Error(message)
}

/** The header that carries the token, and the token's key in session storage. */
export const tokenName = 'x-mock-token'

const retryMs = 1000
/** Two missed signs of life: the server sends one every second. */
const silentMs = 2300

/** Calls `hang` when nothing has been heard for `silentMs`. */
function createWatchdog(hang: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const hear = () => {
    stop()
    timer = setTimeout(hang, silentMs)
  }
  return { hear, stop }
}

/** Reads the events of a connection. Its first line, a comment, identifies the server process. */
async function readEvents(
  body: ReadableStream<BufferSource>,
  watcher: Watcher,
  hear: () => void,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    hear()
    const events = (rest + value).split('\n\n')
    rest = events.pop() ?? ''
    for (const text of events) {
      const [, boot] = /^: boot (.*)$/.exec(text) ?? []
      if (boot !== undefined) watcher.onConnected(boot)
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(text) ?? []
      if (data !== undefined) watcher.onSignal({ event, ...(JSON.parse(data) as object) } as Signal)
    }
  }
}

/** @param origin the server's origin, such as `http://127.0.0.1:4010` */
export function createHttpSource(origin: string, token: string | null = null): ConsoleSource {
  const headers: Record<string, string> = {}
  /** Connects again after access was refused. */
  let tryAgain: (() => void) | undefined
  const setToken = (text: string) => {
    headers[tokenName] = text
    tryAgain?.()
  }
  if (token !== null) setToken(token)
  return {
    baseUrl: `${origin}/v1`,
    isRemote: true,
    openApi: async () => (await request(`${origin}/__mock/openapi.json`, { headers })).json() as unknown,
    controls: createControlsBySandbox(async (sandbox, route, args) => {
      const { method, path, body } = requestOf(route, args)
      const response = await request(`${origin}/__mock${path}`, {
        method,
        headers: {
          ...headers,
          'x-mock-console': '1',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(sandbox !== null && { 'x-mock-sandbox': sandbox }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (route.isText) return response.text()
      const json = (await response.json()) as Readonly<Record<string, unknown>>
      return route.under === undefined ? json : json[route.under]
    }),
    watch: (watcher) => {
      const ending = new AbortController()
      const { signal } = ending
      const listen = async () => {
        while (!signal.aborted) {
          const hanging = new AbortController()
          let isRefused = false
          const watchdog = createWatchdog(() => {
            const seconds = String(silentMs / 1000)
            hanging.abort(new Error(`it has sent nothing for ${seconds} s; a debugger may have paused it`))
          })
          watchdog.hear()
          try {
            const either = AbortSignal.any([signal, hanging.signal])
            const { body } = await request(`${origin}/__mock/events`, { headers, signal: either })
            if (body) await readEvents(body, watcher, watchdog.hear)
            watcher.onLost(new Error('the connection ended'))
          } catch (error) {
            isRefused = error instanceof AccessError
            if (!signal.aborted) watcher.onLost(error)
          } finally {
            watchdog.stop()
          }
          // A refusal lasts until another token is set.
          await new Promise<void>((resolve) => {
            if (isRefused) tryAgain = resolve
            else setTimeout(resolve, retryMs)
          })
        }
      }
      void listen()
      return () => ending.abort()
    },
    send: (request) => {
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
      return fetch(markAsConsole(request))
    },
    readRunPage: async (sandbox) => {
      const query = sandbox === null ? '' : `?sandbox=${encodeURIComponent(sandbox)}`
      return (await request(`${origin}/__mock/run.html${query}`, { headers })).blob()
    },
    token: { isSent: () => tokenName in headers, set: setToken },
  }
}
