// Runs the command line in tests: the process, its output, and how it ends.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, inject } from 'vitest'

export const cli = inject('cli')
export const directory = mkdtempSync(join(tmpdir(), 'workspace-api-mock-'))
afterAll(() => {
  rmSync(directory, { recursive: true })
})

export interface Run {
  readonly child: ChildProcess
  out: string
  err: string
  readonly ended: Promise<number | null>
}

const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
})

export const run = (...flags: string[]): Run => start(process.execPath, [cli, ...flags])

/** Runs the command line with a limit of a few kilobytes per file, as on a full disk. */
export const runOnFullDisk = (kilobytes: number, ...flags: string[]): Run =>
  start('bash', ['-c', `ulimit -f ${String(kilobytes)}; exec "$0" "$@"`, process.execPath, cli, ...flags])

function start(command: string, args: readonly string[]): Run {
  const child = spawn(command, args, { env: { ...process.env, NO_COLOR: '1' } })
  running.add(child)
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      running.delete(child)
      resolve(code)
    })
  })
  const started: Run = { child, out: '', err: '', ended }
  child.stdout.on('data', (chunk: Buffer) => (started.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (started.err += chunk.toString()))
  return started
}

/** What a process printed, once all of it has arrived; rejects if the process ends first. */
export function printed(process: Run, stream: 'out' | 'err', pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const match = pattern.exec(process[stream])
      if (match) resolve(match)
    }
    process.child[stream === 'out' ? 'stdout' : 'stderr']?.on('data', look)
    void process.ended.then((code) => {
      reject(
        new Error(`ended with ${String(code)}, without ${String(pattern)}: ${process.out}${process.err}`),
      )
    })
    look()
  })
}

/** Writes a file to the tests' own directory, as JSON unless it is a string. */
export function fileOf(name: string, content: unknown): string {
  const path = join(directory, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** Runs a command that must fail and returns its message. Code 2 means that the command line is wrong. */
export async function failed(code: 1 | 2, ...flags: string[]): Promise<string> {
  const process = run(...flags)
  expect(await process.ended, process.err).toBe(code)
  expect(process.out).toBe('')
  expect(process.err).not.toContain('    at ')
  return process.err
}
