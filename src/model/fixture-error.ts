// Owns how the problems of a fixture are gathered and told.
import type * as z from 'zod/mini'
import { describeIssue, pathText } from '../contract/issues.ts'
import { nearest } from '../contract/nearest.ts'
import { knownFields } from './fixture-fields.ts'

export interface FixtureProblem {
  /** Such as `workspaces[0].tables[1].columns[2].type`. */
  readonly path: string
  /** The whole sentence, the path included. */
  readonly message: string
}

const shownProblems = 5

function summary(what: string, problems: readonly FixtureProblem[], count: number): string {
  const [first, ...others] = problems.map(({ message }) => message)
  if (first === undefined || others.length === 0) return first ?? `${what} is not valid`
  const rest = count > problems.length ? `\nand ${String(count - problems.length)} more` : ''
  return [`${what} has ${String(count)} problems:`, first, ...others].join('\n- ') + rest
}

/** Thrown for a fixture, or a part of one to seed, that does not hold together. Nothing has been changed then. */
export class FixtureError extends Error {
  /** The first ones, five at most. */
  readonly problems: readonly FixtureProblem[]

  constructor(what: string, problems: readonly FixtureProblem[], count = problems.length) {
    super(summary(what, problems, count))
    this.name = 'FixtureError'
    this.problems = problems
  }
}

/** Gathers problems, so that several can be told at once. */
export class Problems {
  readonly #what: string
  readonly #first: FixtureProblem[] = []
  #count = 0

  /** @param what is checked: `fixture` */
  constructor(what: string) {
    this.#what = what
  }

  get count(): number {
    return this.#count
  }

  /** @param text goes on from the path: `must be …; received …` */
  add(path: string, text: string): void {
    this.#count += 1
    if (this.#first.length < shownProblems) this.#first.push({ path, message: `${path} ${text}` })
  }

  /**
   * Adds what a schema found wrong.
   * @param at path of `input`, empty for the whole
   */
  addIssues(error: z.core.$ZodError, input: unknown, at = ''): void {
    for (const issue of error.issues) {
      if (issue.code === 'unrecognized_keys') {
        for (const key of issue.keys) this.#addUnknown(at, issue.path, key)
      } else {
        const path = pathText(issue.path) || this.#what
        const text = describeIssue(issue, input, this.#what).slice(path.length + 1)
        this.add(issue.path.length > 0 ? joined(at, path) : at || this.#what, text)
      }
    }
  }

  #addUnknown(at: string, path: readonly PropertyKey[], key: string): void {
    const place = path.findLast((part) => typeof part === 'string') ?? placeOf(at)
    const meant = nearest(key, knownFields(place), (name) => name)
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    this.add(joined(at, pathText([...path, key])), `is no field of a fixture${hint}`)
  }

  /** @throws {FixtureError} if there are any */
  throwAny(): void {
    if (this.#count > 0) throw new FixtureError(this.#what, this.#first, this.#count)
  }
}

const joined = (at: string, path: string) => (at === '' ? path : `${at}.${path}`)
/** `workspaces[0].tables[1]` gives `tables`. */
const placeOf = (at: string) => /(\w+)(?:\[\d+\])*$/.exec(at)?.[1] ?? ''
