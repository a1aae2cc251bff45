// Packs the package once for all tests that install it.
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

/** Builds and packs. Only the JSON at the end of npm's output is used. */
export function pack(folder: string): { tarball: string; files: string[] } {
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { encoding: 'utf8' })
  const [packed] = JSON.parse(output.slice(output.indexOf('[\n'))) as [Packed]
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) }
}

export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-api-mock-pack-'))
  const { tarball, files } = pack(folder)
  project.provide('tarball', tarball)
  project.provide('packedFiles', files)
  return () => rmSync(folder, { recursive: true, force: true })
}
