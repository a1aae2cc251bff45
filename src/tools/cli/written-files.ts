// Finds out what a command wrote to its copy of a folder.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const most = { files: 500, fileBytes: 200_000 }

/** Reads new and changed text files by path, except large ones. */
export function readWrittenFiles(folder: string, original: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (texts.size >= most.files) break
    const [path, before] = [join(folder, name), join(original, name)]
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found?.isFile() || found.size > most.fileBytes) continue
    const text = readFileSync(path, 'utf8')
    const isOriginal = existsSync(before) && readFileSync(before, 'utf8') === text
    if (!isOriginal && !text.includes('\0')) texts.set(name, text.replaceAll(folder, ''))
  }
  return texts
}
