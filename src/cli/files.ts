// The files that options name: JSON and answers to open questions to read, results to write.
import { existsSync, lstatSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolveAnswers, type AnswersInput } from '../contract/questions/register.ts'
import { isObject } from '../contract/data/objects.ts'
import { messageOf } from '../contract/text/format.ts'

/** Calls `run`; its errors begin with `what`. */
export function prefixErrors<T>(what: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error })
  }
}

/** The file that is written: behind a link, its target. */
const targetOf = (file: string) => (existsSync(file) ? realpathSync(file) : file)

/** The file by way of which another is replaced; devices and pipes are written to as they are. */
const temporaryOf = (file: string) =>
  !existsSync(file) || lstatSync(file).isFile() ? `${file}.${String(process.pid)}.tmp` : undefined

/**
 * Checks that a file can be written later, so that a long run is not lost. An existing file stays as it is, another is
 * not created.
 * @param isReplaced whether it is to be written with a check
 * @throws {Error} naming the file, if it cannot be written
 */
export function assertWritable(file: string, isReplaced = false): void {
  const target = targetOf(file)
  const temporary = isReplaced ? temporaryOf(target) : undefined
  for (const one of temporary === undefined ? [target] : [target, temporary]) {
    const isNew = !existsSync(one)
    prefixErrors(`${file} cannot be written`, () => writeFileSync(one, '', { flag: 'a' }))
    if (isNew) rmSync(one)
  }
}

/**
 * Writes a file; with a check by way of a temporary one, so that it stays as it was at any failure.
 * @param check gets the name of the temporary file, whose content is on the disk
 * @throws {Error} naming the file, if it cannot be written or what was written is not right
 */
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

/**
 * The value in a JSON file; `what` says in errors what the file is for.
 * @throws {Error} naming the file, if it cannot be read or is not JSON
 */
export function readJsonFile(file: string, what: string): unknown {
  const text = prefixErrors(`${what} ${file} cannot be read`, () => readFileSync(file, 'utf8'))
  return prefixErrors(`${what} ${file} is not JSON`, (): unknown => JSON.parse(text.replace(/^\uFEFF/, '')))
}

/**
 * The answers in a file, plain or as `verify --learn` writes them; empty without a file.
 * @throws {Error} naming the file, if it cannot be read or an answer is invalid
 */
export function readAnswersFile(file: string | undefined): AnswersInput {
  if (file === undefined) return {}
  const json = readJsonFile(file, 'answers file')
  const isLearned = isObject(json) && isObject(json.answers) && Array.isArray(json.evidence)
  const answers = (isLearned ? json.answers : json) as AnswersInput
  prefixErrors(file, () => resolveAnswers(answers))
  return answers
}
