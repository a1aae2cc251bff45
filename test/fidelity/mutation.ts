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

/** The figures of a report; mutants that were left out or could not be built are none. */
function mutationFigures(report: Report, date: string): Mutation {
  const files = Object.entries(report.files).map(([path, { mutants }]) => {
    const of = (statuses: readonly string[]) =>
      mutants.filter(({ status }) => statuses.includes(status)).length
    return [path, { killed: of(noticed), survived: of(unnoticed) }] as const
  })
  const sum = (key: 'killed' | 'survived') => files.reduce((total, [, figures]) => total + figures[key], 0)
  const killed = sum('killed')
  const survived = sum('survived')
  const score = Math.round((1000 * killed) / (killed + survived)) / 10
  return { date, score, killed, survived, files: Object.fromEntries(files) }
}

/** Runs StrykerJS as `npm run mutation` does. */
export function runMutation(): Mutation {
  const { status } = spawnSync('npx', ['stryker', 'run', '.config/stryker.config.js'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`stryker ended with ${String(status)}`)
  const report = readFileSync(`${root}/node_modules/.cache/stryker-report.json`, 'utf8')
  return mutationFigures(JSON.parse(report) as Report, new Date().toISOString().slice(0, 10))
}
