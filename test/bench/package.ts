// Owns what is measured: the package as it is published, bundled into a folder of its own.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'tsdown'
import type * as Entry from '../../src/index.ts'

const root = join(import.meta.dirname, '../..')

/** Bundles the sources as the build does, without declarations. @returns the folder */
export async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-api-mock-bench-'))
  await build({
    config: join(root, '.config/tsdown.config.ts'),
    dts: false,
    outDir: folder,
    logLevel: 'warn',
  })
  await build({
    config: false,
    cwd: root,
    entry: { 'bare-server': 'test/bench/bare-server.ts' },
    outDir: join(folder, 'bench'),
    dts: false,
    logLevel: 'warn',
  })
  return folder
}

/** Set by the runner for each benchmark's process. */
export function packageFolder(): string {
  const folder = process.env['BENCH_PACKAGE']
  if (folder === undefined)
    throw new Error('BENCH_PACKAGE must name the folder of the bundle; run npm run bench')
  return folder
}

export async function importPackage(): Promise<typeof Entry> {
  return (await import(pathToFileURL(join(packageFolder(), 'index.js')).href)) as typeof Entry
}
