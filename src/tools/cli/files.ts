// Reads and writes the files that options name.
import { existsSync, lstatSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { decodeFile, parseJsonFile } from '../../adapters/control-api/decode.ts'
import { resolveAnswers, type AnswersInput } from '../../contract/questions/register.ts'
import { isObject } from '../../contract/data/objects.ts'
import { messageOf } from '../../contract/text/format.ts'

export function prefixErrors<T>(what: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error })
  }
}

/** The file itself, or the target of a link. */
const targetOf = (file: string) => (existsSync(file) ? realpathSync(file) : file)

/** The temporary file to write first; undefined for devices and pipes, which are written directly. */
const temporaryOf = (file: string) =>
  !existsSync(file) || lstatSync(file).isFile() ? `${file}.${String(process.pid)}.tmp` : undefined

/** Checks up front that a file will be writable after a long run, without changing it. @throws {Error} naming the file */
export function assertWritable(file: string, isReplaced = false): void {
  const target = targetOf(file)
  const temporary = isReplaced ? temporaryOf(target) : undefined
  for (const one of temporary === undefined ? [target] : [target, temporary]) {
    const isNew = !existsSync(one)
    prefixErrors(`${file} cannot be written`, () => writeFileSync(one, '', { flag: 'a' }))
    if (isNew) rmSync(one)
  }
}

/** Writes a file. With `check`, which gets the name of a temporary file, any failure leaves the former file intact. */
export function writeFile(file: string, text: string, check?: (written: string) => unknown): void {
  const target = targetOf(file)
  const temporary = check && temporaryOf(target)
  try {
    prefixErrors(`${file} cannot be written`, () =>
      writeFileSync(temporary ?? target, text, { flush: temporary !== undefined }),
    )
    if (temporary === undefined) return
    check?.(temporary)
    prefixErrors(`${file} cannot be replaced`, () => renameSync(temporary, target))
  } finally {
    if (temporary !== undefined) rmSync(temporary, { force: true })
  }
}

/** @param what the file's purpose, for errors @throws {Error} naming the file */
export const readBytes = (file: string, what: string): Uint8Array =>
  prefixErrors(`${what} ${file} cannot be read`, () => readFileSync(file))

/** @param what the file's purpose, for errors @throws {Error} naming the file, the line and the column */
export function readJsonFile(file: string, what: string): unknown {
  const name = `${what} ${file}`
  return parseJsonFile(name, decodeFile(name, readBytes(file, what)))
}

/** Reads answers from a file, plain or as `verify --learn` writes it. @throws {Error} naming the file */
export function readAnswersFile(file: string | undefined): AnswersInput {
  if (file === undefined) return {}
  const json = readJsonFile(file, 'answers file')
  const isLearned = isObject(json) && isObject(json.answers) && Array.isArray(json.evidence)
  const answers = (isLearned ? json.answers : json) as AnswersInput
  prefixErrors(file, () => resolveAnswers(answers))
  return answers
}
