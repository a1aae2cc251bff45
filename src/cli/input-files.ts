// Files that options name: JSON, fixtures and answers to open questions.
import { existsSync, readFileSync } from 'node:fs'
import { resolveAnswers, type AnswersInput } from '../contract/questions/register.ts'
import { nearestNote } from '../contract/values/nearest.ts'
import { isObject } from '../contract/values/objects.ts'
import { messageOf } from '../contract/values/text.ts'
import { quote } from '../contract/values/quote.ts'
import type { Fixture } from '../fixture/fixture.ts'
import { fixtures } from '../../fixtures/index.ts'
import type { FixtureName } from '../mock-options.ts'

/** Runs what reads, checks or writes a file; errors begin with the words for it. */
export function named<T>(what: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new Error(`${what}: ${messageOf(error)}`, { cause: error })
  }
}

/**
 * The value in a JSON file; `what` says what it is for.
 * @throws {Error} that names a file that cannot be read or is not JSON
 */
export function readJsonFile(file: string, what: string): unknown {
  const text = named(`${what} ${file} cannot be read`, () => readFileSync(file, 'utf8'))
  return named(`${what} ${file} is no JSON`, (): unknown => JSON.parse(text.replace(/^\uFEFF/, '')))
}

/**
 * The answers in a file, plain or as `verify --learn` writes them; none without a file.
 * @throws {Error} that names a file that cannot be read, or is wrong
 */
export function readAnswersFile(file: string | undefined): AnswersInput {
  if (file === undefined) return {}
  const json = readJsonFile(file, 'answers file')
  const isLearned = isObject(json) && isObject(json.answers) && Array.isArray(json.evidence)
  const answers = (isLearned ? json.answers : json) as AnswersInput
  named(file, () => resolveAnswers(answers))
  return answers
}

export const isFixtureName = (name: string): name is FixtureName => Object.hasOwn(fixtures, name)

/**
 * The value of --fixture: the name of a fixture of this package, or a JSON file, which the mock checks.
 * @throws {Error} where it is neither
 */
export function fixtureOf(name: string): FixtureName | Fixture {
  if (isFixtureName(name)) return name
  if (existsSync(name)) return readJsonFile(name, 'fixture file') as Fixture
  const names = Object.keys(fixtures)
  throw new Error(
    `--fixture must be one of ${names.join(', ')}, or a JSON file that exists; received ${quote(name)}${nearestNote(name, names)}`,
  )
}
