// Builds and packs the package once for all tests that install it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The packed package. */
    tarball: string
    /** Paths of the files in it. */
    packedFiles: readonly string[]
  }
}

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-api-mock-pack-'))
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { encoding: 'utf8' })
  // Only the JSON at the end of npm's output.
  const [{ filename, files }] = JSON.parse(output.slice(output.indexOf('[\n'))) as [Packed]
  project.provide('tarball', join(folder, filename))
  project.provide(
    'packedFiles',
    files.map(({ path }) => path),
  )
  return () => rmSync(folder, { recursive: true, force: true })
}
