// Detects file changes, however many steps an editor takes to write them.
import { statSync } from 'node:fs'

/** Polling works on every file system, including containers and networks, and with replaced or linked files. */
const pollMs = 100

function versionOf(file: string): string {
  try {
    const { ino, mtimeNs, size } = statSync(file, { bigint: true })
    return `${String(ino)} ${String(mtimeNs)} ${String(size)}`
  } catch {
    return 'none'
  }
}

export const versionsOf = (files: readonly string[]): string => files.map(versionOf).join()

/** Calls `onChange` when two polls in a row find the same new version, since a file may be written in several steps. */
export function watchFiles(files: readonly string[], known: string, onChange: () => void): () => void {
  let latest = known
  let isWriting = false
  const timer = setInterval(() => {
    const found = versionsOf(files)
    const isSettled = isWriting && found === latest
    isWriting = found !== latest
    latest = found
    if (isSettled) onChange()
  }, pollMs)
  return () => {
    clearInterval(timer)
  }
}
