// The one writer of files: whoever reads one, or starts after a crash, finds the former text or the new one, whole.
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

/** @throws {Error} what `run` throws, with what failed before its message */
export function prefixErrors<T>(what: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new Error(`${toPlainText(what)}: ${toPlainText(messageOf(error))}`, { cause: error })
  }
}

/**
 * Creates a folder and the missing ones above it. Where a folder cannot be created although the one above it exists, as in
 * /proc, a recursive `mkdirSync` never returns; so the outermost is created by itself.
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

/** A new name in the folder of a file, so that renaming replaces the file at once. */
function createTemporaryName(file: string): string {
  written += 1
  return join(dirname(file), `.${basename(file)}.${String(process.pid)}.${String(written)}.tmp`)
}

/** The file itself, or the target of a link. */
const targetOf = (file: string) => (existsSync(file) ? realpathSync(file) : file)

/** Devices and pipes are written to; they cannot be replaced. */
const isReplaceable = (target: string) => !existsSync(target) || statSync(target).isFile()

/** Makes a rename in a folder outlast a crash, where the platform can. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r')
    try {
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch {
    // Windows opens no folders; the file itself is synced.
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

/** Checks up front that a file will be writable after a long run, without changing it. @throws {Error} naming the file */
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
 * Writes a file: to a temporary one in its folder, which is synced and then takes its place. Any failure leaves the former
 * file as it was.
 * @param check gets the name of the temporary file, and throws to keep the former
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

/** Removes a file for good; one that is gone is no failure. @throws {Error} naming the file */
export function removeFile(file: string): void {
  prefixErrors(`${file} cannot be removed`, () => rmSync(file, { force: true }))
  syncFolder(dirname(file))
}
