// The files that options name: JSON and answers to open questions to read, results to write.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
