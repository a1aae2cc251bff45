// A mock served while a file's tests run, and raw bytes over a connection to a server.
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { WorkspaceMock } from '../../../src/index.ts'
import { serve, type RunningServer, type ServeOptions } from '../../../src/node.ts'

/** The demo fixture's key that may do everything. */
export const authorization = 'Bearer wm_demo_master'

/** Serves a mock for a file's tests, and resets it before each. */
export function served(
  mock: WorkspaceMock,
  options: ServeOptions = {},
): Pick<RunningServer, 'url' | 'baseUrl' | 'port'> {
  let server: RunningServer
  beforeAll(async () => {
    server = await serve(mock, { port: 0, ...options })
  })
  beforeEach(() => {
    mock.reset()
  })
  afterAll(() => server.close())
  return {
    get url() {
      return server.url
    },
    get baseUrl() {
      return server.baseUrl
    },
    get port() {
      return server.port
    },
  }
}

/** The head of a request with a key. */
export const head = (method: string, path: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: ${authorization}`, ...headers, '', ''].join(
    '\r\n',
  )

/** What raw bytes get in return, until the server closes the connection or enough has arrived. */
export function raw(
  port: number,
  bytes: string,
  isEnough: (text: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes)
    })
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (isEnough(text)) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      resolve(text)
    })
  })
}

/** The statuses of the received responses. */
export const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
