// Owns how the problems of a fixture are gathered and told.
import type * as z from 'zod/mini'
import { describeIssue, pathText } from '../contract/issues.ts'
import { nearest } from '../contract/nearest.ts'

export interface FixtureProblem {
  /** Such as `workspaces[0].tables[1].columns[2].type`. */
  readonly path: string
  /** The whole sentence, the path included. */
  readonly message: string
}

const shownProblems = 5

function summary(what: string, problems: readonly FixtureProblem[], count: number): string {
  const lines = problems.map(({ message }) => message)
  if (lines.length === 1) return `${what}: ${lines.join()}`
  if (count > lines.length) lines.push(`and ${String(count - lines.length)} more`)
  return [`${what} has ${String(count)} problems:`, ...lines].join('\n- ')
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

  /** Adds what a schema found wrong. */
  addIssues(error: z.core.$ZodError, input: unknown, known: (path: readonly PropertyKey[]) => readonly string[]): void {
    for (const issue of error.issues) {
      if (issue.code === 'unrecognized_keys') {
        for (const key of issue.keys) this.#addUnknown([...issue.path, key], key, known(issue.path))
      } else {
        const path = pathText(issue.path) || this.#what
        this.add(path, describeIssue(issue, input, this.#what).slice(path.length + 1))
      }
    }
  }

  #addUnknown(path: readonly PropertyKey[], key: string, known: readonly string[]): void {
    const meant = nearest(key, known, (name) => name)
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`
    this.add(pathText(path), `is no field of a fixture${hint}`)
  }

  /** @throws {FixtureError} if there are any */
  throwAny(): void {
    if (this.#count > 0) throw new FixtureError(this.#what, this.#first, this.#count)
  }
}
