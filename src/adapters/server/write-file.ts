// Writes files atomically: readers find either the former text or the new text, complete, even after a crash.
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { messageOf } from '../../contract/text/format.ts'
import { toPlainText } from '../../contract/text/quote.ts'

/** @throws {Error} if `run` throws: the message is `what`, a colon and the message of that error */
export function prefixErrors<T>(what: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new Error(`${toPlainText(what)}: ${toPlainText(messageOf(error))}`, { cause: error })
  }
}

/**
 * Creates a folder and its missing parents. A recursive `mkdirSync` never returns if a folder cannot be created
 * although its parent exists, as in /proc, so the outermost folder is created separately.
 * @throws {Error} naming the folder
 */
export function createFolder(folder: string): void {
  prefixErrors(`${folder} cannot be created`, () => {
    let outermost = resolve(folder)
    while (!existsSync(dirname(outermost))) outermost = dirname(outermost)
    if (!existsSync(outermost)) mkdirSync(outermost)
    mkdirSync(folder, { recursive: true })
  })
}

let written = 0

/** A new name in the file's folder, so that a rename replaces the file in one step. */
function createTemporaryName(file: string): string {
  written += 1
  return join(dirname(file), `.${basename(file)}.${String(process.pid)}.${String(written)}.tmp`)
}

/** The file itself, or the target of a link. */
const targetOf = (file: string) => (existsSync(file) ? realpathSync(file) : file)

/** Devices and pipes can be written to, but not replaced. */
const isReplaceable = (target: string) => !existsSync(target) || statSync(target).isFile()

/** Makes a rename in a folder survive a crash, if the platform supports it. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r')
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch {
    // Windows cannot open folders; the file has been synced anyway.
  }
}

function writeSynced(file: string, text: string, mode: number | undefined): void {
  const handle = openSync(file, 'wx', mode)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Checks up front that a file will be writable after a long run, without changing it.
 * @throws {Error} naming the file
 */
export function assertWritable(file: string): void {
  prefixErrors(`${file} cannot be written`, () => {
    const target = targetOf(file)
    if (!isReplaceable(target)) {
      if (statSync(target).isDirectory()) throw new Error('it is a folder')
      return
    }
    if (existsSync(target)) closeSync(openSync(target, 'a'))
    const temporary = createTemporaryName(target)
    writeFileSync(temporary, '', { flag: 'wx' })
    rmSync(temporary)
  })
}

/**
 * Writes a temporary file in the same folder, syncs it, and renames it to replace the former file. Any failure leaves
 * the former file unchanged.
 * @param check is called with the name of the temporary file; it throws to keep the former one
 * @throws {Error} naming the file
 */
export function writeFile(file: string, text: string, check?: (written: string) => unknown): void {
  const cannot = `${file} cannot be written`
  const target = prefixErrors(cannot, () => targetOf(file))
  if (!isReplaceable(target)) {
    prefixErrors(cannot, () => writeFileSync(target, text))
    return
  }
  const temporary = createTemporaryName(target)
  try {
    const mode = existsSync(target) ? statSync(target).mode : undefined
    prefixErrors(cannot, () => writeSynced(temporary, text, mode))
    check?.(temporary)
    prefixErrors(`${file} cannot be replaced`, () => renameSync(temporary, target))
    syncFolder(dirname(target))
  } finally {
    rmSync(temporary, { force: true })
  }
}

/**
 * Removes a file so that even a crash does not bring it back. Ignores a missing file.
 * @throws {Error} naming the file
 */
export function removeFile(file: string): void {
  prefixErrors(`${file} cannot be removed`, () => rmSync(file, { force: true }))
  syncFolder(dirname(file))
}
