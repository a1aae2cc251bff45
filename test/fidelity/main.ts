// Runs everything that measures the mock's fidelity, at length, and prints the figures: `npx tsx test/fidelity/main.ts
// [--mutation]`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { figureLines, readFigures, writeFigures, type Figures } from './figures.ts'
import { runMutation } from './mutation.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'fidelity-'))
const file = join(folder, 'figures.json')
const projects = [
  'in-process',
  'on-demand-thorough-standalone',
  'on-demand-thorough-random',
  'unit',
  'on-demand-thorough',
].flatMap((name) => ['--project', name])
const filters = ['test/behaviour/', 'test/fidelity/', 'test/verify/']

const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--config', '.config/vitest.config.ts', ...projects, ...filters],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FIDELITY_INTENSITY: '20', FIDELITY_FIGURES: file },
  },
)
if (status === 0) {
  const found = JSON.parse(readFileSync(file, 'utf8')) as Pick<Figures, 'covered' | 'counted'>
  const mutation = process.argv.includes('--mutation') ? runMutation() : readFigures().mutation
  const figures = { ...found, mutation }
  writeFigures(figures)
  for (const [name, value] of figureLines(figures)) console.log(`${name}: ${value}`)
}
rmSync(folder, { recursive: true })
process.exitCode = status ?? 1
