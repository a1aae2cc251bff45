// Long-running commands: exit codes, progress on stderr, interruption by signals.
import type { Progress } from '../../verify.ts'
import { printError, toShortLine } from './terminal.ts'

/** Exit codes of the commands that judge something: `explore`, `verify` and `pull`. */
export const exitCodes = {
  clean: 0,
  found: 1,
  /** The run failed, was interrupted or was not conclusive. */
  failed: 2,
} as const

const width = 78

/** A line on stderr that is rewritten in place; terminals only. */
export const statusLine = {
  show: (line: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${line.slice(0, width).padEnd(width)}`)
  },
  end: () => {
    if (process.stderr.isTTY) process.stderr.write(`\r${' '.repeat(width)}\r`)
  },
}

/** Shows progress on the status line; without a terminal, prints a line per quarter. */
export function progressOf(command: string): (progress: Progress) => void {
  let shown = -1
  return ({ done, total, next }) => {
    const line = toShortLine(`${command} ${String(done)}/${String(total)} ${next}`, width)
    const quarter = Math.floor((done / total) * 4)
    statusLine.show(line)
    if (!process.stderr.isTTY && quarter !== shown) printError(`${line.slice(0, width)}\n`)
    shown = quarter
  }
}

/** Aborts at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. */
export function listenForInterruption(message: string): AbortSignal {
  const controller = new AbortController()
  const end = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
    printError(`\n${message}\n`)
  }
  process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end)
  return controller.signal
}
