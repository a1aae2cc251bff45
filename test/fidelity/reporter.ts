// Owns what is said after a run about what it covered; a whole run that left something out fails and names it.
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node'
import { coverable } from './coverage.ts'
import type { Counted, Covered } from './meta.ts'

/** What a figure is called, and in which project it is to be covered. */
interface Figure {
  readonly name: string
  readonly what: Covered
  readonly project: string
}

const targets = { 'in-process': 'in process', standalone: 'over HTTP' } as const
const onTargets = (name: string, what: Covered): Figure[] =>
  Object.entries(targets).map(([project, words]) => ({ name: `${name} ${words}`, what, project }))

const figures: readonly Figure[] = [
  ...onTargets('outcomes', 'outcomes'),
  ...onTargets('faults', 'injected'),
  ...onTargets('answers', 'answers'),
  ...onTargets('client rules', 'rules'),
  ...onTargets('column types x operators', 'operators'),
  ...onTargets('transitions', 'transitions'),
]

const shownMissing = 40

/** A vitest reporter, to be put beside one that tells of the tests themselves. */
export class FidelityReporter implements Reporter {
  #vitest: Vitest | undefined
  #specifications: readonly TestSpecification[] = []
  #ran = 0

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#specifications = specifications
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    if (modules.some((module) => !module.ok()) || !(await this.#isWhole())) return
    const { covered, counted } = collect(modules)
    const projects = new Set(this.#specifications.map(({ project }) => project.name))
    const lines: string[] = []
    for (const { name, what, project } of figures) {
      if (!projects.has(project)) continue
      const found = covered.get(`${project} ${what}`) ?? new Set<string>()
      const missing = coverable[what].filter((item) => !found.has(item))
      const all = coverable[what].length
      lines.push(`${name} ${String(all - missing.length)}/${String(all)}`)
      if (missing.length > 0) this.#fail(name, missing)
    }
    for (const [what, number] of counted) lines.push(`${what} ${String(number)}`)
    if (lines.length > 0) console.log(` Covered  ${lines.join(', ')}`)
  }

  /** Whether every test there is was run: what a part of them leaves out says nothing. */
  async #isWhole(): Promise<boolean> {
    const vitest = this.#vitest
    if (!vitest || vitest.config.testNamePattern !== undefined) return false
    return (await vitest.globTestSpecifications()).length === this.#specifications.length
  }

  #fail(name: string, missing: readonly string[]): void {
    const rest = missing.length - shownMissing
    const listed = missing.slice(0, shownMissing).map((item) => `  ${item}`)
    console.error(
      [`Not covered of ${name}:`, ...listed, ...(rest > 0 ? [`  and ${String(rest)} more`] : [])].join('\n'),
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
