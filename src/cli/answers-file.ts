// Reads files with answers to open questions: plain ones, and those that `verify --learn` writes.
import { isObject } from '../contract/values/objects.ts'
import type { AnswersInput } from '../contract/questions/register.ts'
import { readJsonFile } from './json-file.ts'

/**
 * The answers in a file, not checked yet.
 * @throws {Error} that names the file, where it cannot be read or is not JSON
 */
export function readAnswersFile(file: string): AnswersInput {
  const json = readJsonFile(file, 'answers file')
  const isLearned = isObject(json) && isObject(json.answers) && Array.isArray(json.evidence)
  return (isLearned ? json.answers : json) as AnswersInput
}
