// The file of `serve --coverage`: written when the server ends.
import { writeFileSync } from 'node:fs'
import { sumOf, type CoverageReport } from '../core/coverage.ts'
import { coveragePage } from '../explore/coverage-page.ts'
import { coverageJson, coverageText } from '../explore/coverage-text.ts'

export class CoverageFile {
  readonly #file: string
  readonly #reports: CoverageReport[] = []

  /** @throws {Error} if the file cannot be written, before anything is served */
  constructor(file: string) {
    this.#file = file
    writeFileSync(file, '', { flag: 'a' })
  }

  /** Adds the counts of a mock that is no longer served. */
  add(report: CoverageReport): void {
    this.#reports.push(report)
  }

  /** @returns the summary for a terminal */
  write(): string {
    const report = sumOf(this.#reports)
    writeFileSync(this.#file, /\.html?$/i.test(this.#file) ? coveragePage(report) : coverageJson(report))
    return `${coverageText(report)}\nIn full: ${this.#file}\n`
  }
}
