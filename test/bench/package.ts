// What is measured: the package as published, bundled into its own folder.
import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Rolldown } from 'tsdown'
import javaScript from '../../.config/tsdown.config.ts'
import type * as Entry from '../../src/index.ts'

const root = join(import.meta.dirname, '../..')

/** Bundles the sources as the build does, without declarations. @returns the folder of the JavaScript */
export async function bundle(plugin?: Rolldown.Plugin): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-api-mock-bench-'))
  const outDir = join(folder, 'dist')
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  await build({ ...javaScript, outDir, config: false, plugins: [javaScript.plugins, plugin] })
  await build({
    ...javaScript,
    entry: { 'bare-server': 'test/bench/measuring/bare-server.ts' },
    outDir: join(folder, 'bench'),
    config: false,
  })
  return outDir
}

/** Set by the runner for each benchmark's process. */
export function packageFolder(): string {
  const folder = process.env.BENCH_PACKAGE
  if (folder === undefined)
    throw new Error('BENCH_PACKAGE must name the folder of the bundle; run npm run bench')
  return folder
}

export async function importPackage(): Promise<typeof Entry> {
  return (await import(pathToFileURL(join(packageFolder(), 'index.js')).href)) as typeof Entry
}
