// Detects the end of the parent process, so that no server outlives a killed `npm start` or `npx`.
import { readFileSync } from 'node:fs'

function readProcess(id: number): { readonly parentId: number; readonly command: string } | undefined {
  try {
    if (process.platform === 'win32') return undefined
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${String(id)}/stat`, 'utf8')
      // The process name, in parentheses, can contain anything.
      const [, parentId] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const command = readFileSync(`/proc/${String(id)}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return { parentId: Number(parentId), command: command.trim() }
    }
    // Loaded on demand, since it would make every start 6 ms slower.
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    const line = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(id)], { encoding: 'utf8' }).trim()
    const [, parentId, command = ''] = /^(\d+)\s+(.*)$/s.exec(line) ?? []
    return { parentId: Number(parentId), command }
  } catch {
    return undefined
  }
}

/** Matches the title (`npm start`) or the command line (`node /usr/bin/npm start`) of npm and npx. */
const npm = /^(?:\S*node(?:\.exe)?\s+(?:-\S+\s+)*)?(?:\S*[/\\])?np[mx](?:-cli\.js)?(?:\s|$)/
const shell = /^(?:\S*\/)?(?:ba|da|a|z|k)?sh\s+-c\s/

/** The npm or npx process that started this one, and the shell in between if there is one. */
function findNpmProcesses(): number[] {
  const parent = readProcess(process.ppid)
  if (!parent) return []
  if (npm.test(parent.command)) return [process.ppid]
  const isTheirShell = shell.test(parent.command) && npm.test(readProcess(parent.parentId)?.command ?? '')
  return isTheirShell ? [process.ppid, parent.parentId] : []
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Calls `end` once the parent has ended; without `always`, only if the parent is npm, npx or their shell. */
export function onParentEnd(always: boolean, end: () => void): void {
  const parentId = process.ppid
  const ids = always ? [parentId] : findNpmProcesses()
  if (ids.length === 0) return
  const timer = setInterval(() => {
    if (process.ppid === parentId && ids.every(isAlive)) return
    clearInterval(timer)
    end()
  }, 200)
  timer.unref()
}
