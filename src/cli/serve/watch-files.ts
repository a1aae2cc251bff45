// Detects changes to files, in whatever steps an editor writes them.
import { statSync } from 'node:fs'

/**
 * Between two polls. Polling works on all file systems, those of containers and networks too, and for a file that is
 * replaced, removed or reached by a link; events of the system do not.
 */
const pollMs = 100

/** Identifies a version of a file: file, time of the last write, size. */
function versionOf(file: string): string {
  try {
    const { ino, mtimeNs, size } = statSync(file, { bigint: true })
    return `${String(ino)} ${String(mtimeNs)} ${String(size)}`
  } catch {
    return 'none'
  }
}

/** The versions of files at this moment. */
export const versionsOf = (files: readonly string[]): string => files.map(versionOf).join()

/**
 * Calls `onChange` each time the files are no longer as in `known`, once no poll finds anything newer: what is written in
 * several steps is done by then.
 * @returns ends the watching
 */
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
