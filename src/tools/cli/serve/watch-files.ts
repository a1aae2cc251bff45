// Detects changes to files, in whatever steps an editor writes them.
import { statSync } from 'node:fs'

/** Polling works on all file systems, also in containers and networks, and for files that are replaced or linked. */
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

/** Calls `onChange` once two polls in a row find the same new version: by then a write in several steps is complete. */
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
