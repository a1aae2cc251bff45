// The mutation run: StrykerJS over the core, and the figures of its report.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Mutation } from './figures.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>
}

const noticed = ['Killed', 'Timeout']
const unnoticed = ['Survived', 'NoCoverage']

/** The figures of a report, without mutants that were left out or could not be built. */
function mutationFigures(report: Report, date: string): Mutation {
  const statuses = Object.values(report.files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const killed = statuses.filter((status) => noticed.includes(status)).length
  const survived = statuses.filter((status) => unnoticed.includes(status)).length
  const score = Math.round((1000 * killed) / (killed + survived)) / 10
  return { date, score, killed, survived }
}

/** Runs StrykerJS over the core. */
export function runMutation(): Mutation {
  const { status } = spawnSync('npx', ['stryker', 'run', '.config/stryker.config.js'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`stryker ended with ${String(status)}`)
  const report = readFileSync(`${root}/node_modules/.cache/stryker-report.json`, 'utf8')
  return mutationFigures(JSON.parse(report) as Report, new Date().toISOString().slice(0, 10))
}
