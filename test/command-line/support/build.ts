// Builds the package once for all tests that start processes, because each start from the sources takes seconds.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import type { TestProject } from 'vitest/node'
import javaScript from '../../../.config/tsdown.config.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the built entries. */
    built: string
    /** Path of the command line's script. */
    cli: string
  }
}

/** Two levels below the package, like the published build, so that it finds its version. */
const outDir = fileURLToPath(
  new URL(`../../../node_modules/.command-line-${String(process.pid)}`, import.meta.url),
)

export async function setup(project: TestProject): Promise<() => void> {
  await build({ ...javaScript, outDir, config: false })
  project.provide('built', outDir)
  project.provide('cli', `${outDir}/cli.js`)
  // Two projects can share the folder.
  return () => {
    rmSync(outDir, { recursive: true, force: true })
  }
}
