// The servers measured over HTTP, each in its own process.
import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { packageFolder } from '../package.ts'

export interface Served {
  readonly port: number
  readonly pid: number
  stop(): Promise<void>
}

const portPattern = /(?:http:\/\/127\.0\.0\.1:|started on port )(\d+)/

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })
}

/** Starts a script of Node and waits until it prints its address. */
export function start(script: string, args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const port = portPattern.exec(printed)?.[1]
      if (port === undefined) return
      const stop = () => {
        child.kill()
        return ended(child)
      }
      resolve({ port: Number(port), pid: child.pid ?? 0, stop })
    })
    child.once('exit', (code) => reject(new Error(`${script} ended with ${String(code)} before it listened`)))
  })
}

export const cliScript = () => join(packageFolder(), 'cli.js')
export const bareScript = () => join(packageFolder(), '../bench/bare-server.js')

/** The standalone server over the fixture `large`. */
export const startMock = () => start(cliScript(), ['serve', '--port', '0', '--fixture', 'large', '--quiet'])
/** node:http with as many rows in a Map. */
export const startBare = () => start(bareScript(), ['0', '50000'])

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
