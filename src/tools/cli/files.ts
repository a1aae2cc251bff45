// Reads the files that options name.
import { readFileSync } from 'node:fs'
import { prefixErrors } from '../../adapters/server/write-file.ts'
import { decodeFile, parseJsonFile } from '../../adapters/control-api/decode.ts'
import { resolveAnswers, type AnswersInput } from '../../contract/questions/register.ts'
import { isObject } from '../../contract/data/objects.ts'

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
