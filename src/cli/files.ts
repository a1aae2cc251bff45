// The files that options name: JSON and answers to open questions to read, results to write.
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { resolveAnswers, type AnswersInput } from '../contract/questions/register.ts'
import { isObject } from '../contract/data/objects.ts'
import { messageOf } from '../contract/text/format.ts'

/** Calls `run`; its errors begin with `what`. */
export function named<T>(what: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error })
  }
}

/** @throws {Error} naming the file, if it cannot be written */
export const writeFile = (
  file: string,
  text: string,
  options?: { readonly flag?: 'a' | 'wx'; readonly mode?: number },
): void => named(`${file} cannot be written`, () => writeFileSync(file, text, options))

/**
 * Checks that a file can be written later, so that a long run is not lost. An existing file stays as it is, another is
 * not created.
 * @throws {Error} naming the file, if it cannot be written
 */
export function assertWritable(file: string): void {
  const isNew = !existsSync(file)
  writeFile(file, '', { flag: 'a' })
  if (isNew) rmSync(file)
}

/** The file that is written: behind a link, its target. */
const targetOf = (file: string) => (existsSync(file) ? realpathSync(file) : file)

/** Devices and pipes are written to as they are. */
const isReplaceable = (file: string) => !existsSync(file) || lstatSync(file).isFile()

const temporaryOf = (file: string) => `${file}.${String(process.pid)}.tmp`

/**
 * Checks that a file can be replaced later, so that a long run is not lost.
 * @throws {Error} naming the file, if it cannot be written
 */
export function assertReplaceable(file: string): void {
  assertWritable(file)
  const target = targetOf(file)
  if (isReplaceable(target)) assertWritable(temporaryOf(target))
}

/**
 * Replaces a file by way of a temporary one, which is checked first: at any failure the file stays as it was.
 * @param check gets the name of the temporary file, whose content is on the disk
 * @throws {Error} naming the file, if it cannot be written or what was written is not right
 */
export function replaceFile(file: string, text: string, check: (written: string) => unknown): void {
  const target = targetOf(file)
  if (!isReplaceable(target)) {
    writeFile(target, text)
    return
  }
  const temporary = temporaryOf(target)
  try {
    named(`${file} cannot be written`, () => {
      const descriptor = openSync(temporary, 'w')
      try {
        writeFileSync(descriptor, text)
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
    })
    check(temporary)
    named(`${file} cannot be replaced`, () => renameSync(temporary, target))
  } finally {
    rmSync(temporary, { force: true })
  }
}

/**
 * The value in a JSON file; `what` says in errors what the file is for.
 * @throws {Error} naming the file, if it cannot be read or is not JSON
 */
export function readJsonFile(file: string, what: string): unknown {
  const text = named(`${what} ${file} cannot be read`, () => readFileSync(file, 'utf8'))
  return named(`${what} ${file} is not JSON`, (): unknown => JSON.parse(text.replace(/^\uFEFF/, '')))
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
  named(file, () => resolveAnswers(answers))
  return answers
}
