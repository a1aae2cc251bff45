// A vitest reporter that shows which documented outcomes a test run hit.
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node'
import * as z from 'zod/mini'
import { createFolder, writeFile } from '../../adapters/server/write-file.ts'
import { parseOrThrow } from '../../mock/parse-or-throw.ts'
import { toCoverageReport, type CoverageReport } from '../../mock/journal/coverage.ts'
import { renderCoveragePage } from './page.ts'
import { listShortfalls, toCoverageJson, toCoverageText } from './text.ts'

export interface CoverageReporterOptions {
  /** Folder for `coverage.json` and `index.html`, relative to vitest's root; false writes no files. Default `coverage/workspace-api`. */
  readonly folder?: string | false
  /**
   * Minimum percentages of operations called and of documented outcomes hit; below them the run fails. With shards, only the
   * run that merges the reports is checked.
   */
  readonly min?: { readonly operations?: number; readonly outcomes?: number }
}

const Percent = z.optional(z.number().check(z.gte(0), z.lte(100)))
const ReporterOptions = z.strictObject({
  folder: z.optional(z.union([z.string(), z.literal(false)])),
  min: z.optional(z.strictObject({ operations: Percent, outcomes: Percent })),
})

/**
 * Setup file next to the entry, in the sources and in the build. `?inline` makes vitest transform it: when files share a
 * worker, a package's modules run again for each file only if they are transformed.
 */
const setupFile = `${fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../coverage-setup.ts' : './coverage-setup.js',
    import.meta.url,
  ),
)}?inline`

/** Adds up the counts of all mocks in all workers: `reporters: ['default', 'workspace-api-mock/coverage']`. */
export class CoverageReporter implements Reporter {
  readonly #options: CoverageReporterOptions
  #root = process.cwd()
  #shard: Vitest['config']['shard']

  /** @throws {ControlError} for invalid options */
  constructor(options: CoverageReporterOptions = {}) {
    this.#options = parseOrThrow(ReporterOptions, options, 'options') as CoverageReporterOptions
  }

  onInit({ config }: Vitest): void {
    this.#root = config.root
    this.#shard = config.shard
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const { config } of new Set(specifications.map(({ project }) => project)))
      if (!config.setupFiles.includes(setupFile)) config.setupFiles.push(setupFile)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = modules.flatMap((module) => module.meta().workspaceApiCoverage ?? [])
    const report = toCoverageReport(counts)
    process.stdout.write(`\n${toCoverageText(report)}${this.#write(report)}\n`)
    if (counts.length === 0 && modules.length > 0)
      process.stderr.write(
        'error: no test file reported counts, because this reporter was missing when the tests ran. Shards need both reporters: vitest run --reporter=blob --reporter=workspace-api-mock/coverage\n',
      )
    if (this.#shard)
      process.stdout.write(
        'A shard covers only part of the API; vitest --merge-reports checks the minimum.\n',
      )
    else this.#assertEnough(report)
  }

  /** @returns a line with the path of the page; empty without a folder */
  #write(report: CoverageReport): string {
    const { folder = 'coverage/workspace-api' } = this.#options
    if (folder === false) return ''
    const path = resolve(this.#root, folder)
    createFolder(path)
    writeFile(join(path, 'coverage.json'), toCoverageJson(report))
    writeFile(join(path, 'index.html'), renderCoveragePage(report))
    return `\nIn full: ${relative(process.cwd(), join(path, 'index.html'))}\n`
  }

  #assertEnough(report: CoverageReport): void {
    for (const shortfall of listShortfalls(report, this.#options.min)) {
      process.stderr.write(`error: ${shortfall}\n`)
      process.exitCode = 1
    }
  }
}
