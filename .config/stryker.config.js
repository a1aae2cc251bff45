// The mutation run: which parts of the core are mutated, and with which tests. MUTATION_PART (0 to 3) selects a
// quarter of the lines; by default all are mutated.
import { readFileSync, readdirSync } from 'node:fs'

const files = [
  ...['rows', 'bulk', 'filter'].map((name) => `src/service/rows/${name}.ts`),
  ...readdirSync('src/service/resources').map((name) => `src/service/resources/${name}`),
  ...['dispatch', 'responses', 'locate', 'authenticate'].map((name) => `src/mock/requests/${name}.ts`),
]

const blockLines = 20
const parts = 4
const part = process.env.MUTATION_PART ?? 'all'

/**
 * Every fourth block of lines in a file, in Stryker's notation.
 * @param {string} file
 * @returns {string[]}
 */
function sampled(file) {
  const count = readFileSync(file, 'utf8').split('\n').length
  const ranges = []
  for (let from = Number(part) * blockLines + 1; from <= count; from += parts * blockLines)
    ranges.push(`${file}:${String(from)}-${String(Math.min(count, from + blockLines - 1))}`)
  return ranges
}

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: '.config/vitest.mutation.config.ts', related: false },
  mutate: part === 'all' ? files : files.flatMap(sampled),
  // The wording of messages is not tested.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 30_000,
  reporters: ['json', 'clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false, allowEmojis: false },
  jsonReporter: { fileName: 'node_modules/.cache/stryker-report.json' },
  cleanTempDir: 'always',
  ignorePatterns: ['dist', 'README.md', 'src/tools/console', 'test/browser', 'test/package', 'test/openapi'],
}
