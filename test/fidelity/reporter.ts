// Prints what a run covered. A full run that missed something fails and names it.
import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node'
import { coverable } from './coverage.ts'
import type { Counted, Covered } from './meta.ts'

/** A figure: its name, and the project whose tests cover it. */
interface Figure {
  readonly name: string
  readonly what: Covered
  readonly project: string
  /** Whether the figure may be incomplete. */
  readonly isPartial?: true
}

const targets = { 'in-process': 'in process', 'on-demand-thorough-standalone': 'over HTTP' } as const
const onTargets = (name: string, what: Covered): Figure[] =>
  Object.entries(targets).map(([project, words]) => ({ name: `${name}, ${words}`, what, project }))

const figures: readonly Figure[] = [
  ...onTargets('operations × outcomes, reached without faults', 'outcomes'),
  ...onTargets('operations × 500 and 503, reached through faults', 'injected'),
  ...onTargets('answers to open questions, each told apart by a test', 'answers'),
  ...onTargets('client rules, breaches detected by the report', 'rules'),
  ...onTargets('column types × query operators, compared with a naive implementation', 'operators'),
  ...onTargets('state transitions of jobs, time entries, tasks and forms', 'transitions'),
  {
    name: 'open questions that verify --learn can answer',
    what: 'learned',
    project: 'on-demand-thorough',
    isPartial: true,
  },
]
const counts: Readonly<Record<Counted, string>> = {
  sequences: 'random sequences that agree with a naive model',
  steps: 'steps in these sequences, each compared with the model',
  hostile: 'malformed requests with the documented response',
  mutants: 'drift mutants found by verify, of 615',
}

const shownMissing = 40

/** A vitest reporter, to use in addition to one that reports the tests themselves. */
export class FidelityReporter implements Reporter {
  #vitest: Vitest | undefined
  #specifications: readonly TestSpecification[] = []

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#specifications = specifications
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const file = process.env.FIDELITY_FIGURES
    if (modules.some((module) => !module.ok()) || !(file !== undefined || (await this.#isWhole()))) return
    const found = collect(modules)
    const projects = new Set(this.#specifications.map(({ project }) => project.name))
    const covered: Record<string, [number, number]> = {}
    for (const { name, what, project, isPartial } of figures.filter((figure) =>
      projects.has(figure.project),
    )) {
      const names = found.covered.get(`${project} ${what}`) ?? new Set<string>()
      const missing = coverable[what].filter((item) => !names.has(item))
      const all = coverable[what].length
      covered[name] = [all - missing.length, all]
      if (missing.length > 0 && !isPartial) this.#fail(name, missing)
    }
    const counted = Object.fromEntries([...found.counted].map(([what, number]) => [counts[what], number]))
    if (file !== undefined) writeFileSync(file, JSON.stringify({ covered, counted }))
    else
      console.log(
        ` Covered  ${Object.values(covered)
          .map((pair) => pair.join('/'))
          .join(', ')}`,
      )
  }

  /** Whether all tests were run; a partial run cannot show what is missing. */
  async #isWhole(): Promise<boolean> {
    const vitest = this.#vitest
    if (!vitest || vitest.config.testNamePattern !== undefined) return false
    return (await vitest.globTestSpecifications()).length === this.#specifications.length
  }

  #fail(name: string, missing: readonly string[]): void {
    const rest = missing.length - shownMissing
    const listed = missing.slice(0, shownMissing).map((item) => `  ${item}`)
    console.error(
      [`Not covered (${name}):`, ...listed, ...(rest > 0 ? [`  and ${String(rest)} more`] : [])].join('\n'),
    )
    process.exitCode = 1
  }
}

function collect(modules: readonly TestModule[]) {
  const covered = new Map<string, Set<string>>()
  const counted = new Map<Counted, number>()
  for (const module of modules) {
    for (const test of module.children.allTests('passed')) {
      const meta = test.meta()
      for (const [what, names] of Object.entries(meta.covered ?? {})) {
        const key = `${module.project.name} ${what}`
        const found = covered.get(key) ?? new Set()
        for (const name of names) found.add(name)
        covered.set(key, found)
      }
      for (const [what, number] of Object.entries(meta.counted ?? {}) as [Counted, number][])
        counted.set(what, (counted.get(what) ?? 0) + number)
    }
  }
  return { covered, counted }
}
