// The command `npm run bench [-- NAME...]`: bundles the package, runs the benchmarks, prints a table. `--write` writes it
// to the page.
import { fork } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { figureTable, mib, type Bench, type Figure } from './measuring/figure.ts'
import { benches } from './index.ts'
import { bundle } from './package.ts'

function machine(): string {
  const [cpu] = cpus()
  return `${cpu?.model ?? 'unknown CPU'}, ${String(cpus().length)} cores, ${mib(totalmem())}, Node ${process.version}`
}

function inOwnProcess({ name }: Bench, folder: string): Promise<readonly Figure[]> {
  const child = fork(join(import.meta.dirname, 'run-one.ts'), [name], {
    execArgv: [...process.execArgv, '--expose-gc'],
    env: { ...process.env, BENCH_PACKAGE: folder },
  })
  return new Promise((resolve, reject) => {
    let figures: readonly Figure[] | undefined
    child.on('message', (message) => {
      figures = message as readonly Figure[]
    })
    child.on('exit', (code) => {
      if (figures) resolve(figures)
      else reject(new Error(`benchmark ${name} ended with ${String(code)}`))
    })
  })
}

/** The named benchmarks, or by default all quick ones; `--peers` adds the peers. */
function chosen(given: readonly string[]): readonly Bench[] {
  const names = given.filter((name) => name !== '--peers' && name !== '--write')
  const unknown = names.find((name) => !benches.some((bench) => bench.name === name))
  if (unknown !== undefined)
    throw new Error(
      `no benchmark is called ${unknown}; there are ${benches.map(({ name }) => name).join(', ')}`,
    )
  return benches.filter(
    ({ name, onRequest }) =>
      (names.length === 0 ? onRequest !== true : names.includes(name)) ||
      (name === 'peers' && given.includes('--peers')),
  )
}

/** Replaces the figures in the README. Keeps tables with a heading that this run did not produce. */
function writeTable(table: string, headings: readonly string[]): void {
  const path = join(import.meta.dirname, 'README.md')
  const [start, end] = ['<!-- bench:figures -->', '<!-- /bench:figures -->']
  const text = readFileSync(path, 'utf8')
  const [before = '', rest = ''] = text.split(start)
  const [old, after] = [rest.slice(0, rest.indexOf(end)).trim(), rest.slice(rest.indexOf(end))]
  const headed = [...old.matchAll(/^\w.*:\n\n(?:\|.*(?:\n|$))+/gm)].map(([text]) => text.trim())
  // The part of a heading after the comma identifies the run.
  const kept = headed.filter(
    (text) => !headings.some((heading) => text.startsWith(heading.split(',')[0] ?? '')),
  )
  writeFileSync(path, `${before}${start}\n\n${[table, ...kept].join('\n\n')}\n\n${after}`)
}

const folder = process.env.BENCH_PACKAGE ?? (await bundle())
try {
  const tables: { readonly heading?: string | undefined; readonly figures: Figure[] }[] = [{ figures: [] }]
  for (const bench of chosen(process.argv.slice(2))) {
    process.stderr.write(`${bench.name}: ${bench.title}\n`)
    if (bench.heading !== undefined) tables.push({ heading: bench.heading, figures: [] })
    const figures = tables[bench.heading === undefined ? 0 : tables.length - 1]?.figures
    try {
      figures?.push(...(await inOwnProcess(bench, folder)))
    } catch (error) {
      // A failing benchmark does not stop the others.
      const why = error instanceof Error ? error.message : String(error)
      figures?.push({ work: bench.title, figure: `failed: ${why}` })
      process.exitCode = 1
    }
  }
  const shown = tables
    .filter(({ figures }) => figures.length > 0)
    .map(({ heading, figures }) => (heading === undefined ? '' : `${heading}:\n\n`) + figureTable(figures))
  const table = [machine(), ...shown].join('\n\n')
  process.stdout.write(`\n${table}\n`)
  if (process.argv.includes('--write'))
    writeTable(
      table,
      tables.flatMap(({ heading, figures }) =>
        heading !== undefined && figures.length > 0 ? [heading] : [],
      ),
    )
} finally {
  if (process.env.BENCH_PACKAGE === undefined) rmSync(join(folder, '..'), { recursive: true, force: true })
}
