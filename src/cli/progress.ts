// The progress of a run on stderr: one line, rewritten on a terminal, every quarter elsewhere.
import type { Progress } from '../verify/index.ts'

const width = 78

export function progressLine(command: string) {
  const { isTTY } = process.stderr
  let shown = -1
  return {
    show: ({ done, total, next }: Progress) => {
      const line = `${command} ${String(done)}/${String(total)} ${next}`.slice(0, width)
      const quarter = Math.floor((done / total) * 4)
      if (isTTY) process.stderr.write(`\r${line.padEnd(width)}`)
      else if (quarter !== shown) process.stderr.write(`${line}\n`)
      shown = quarter
    },
    end: () => {
      if (isTTY) process.stderr.write(`\r${' '.repeat(width)}\r`)
    },
  }
}
