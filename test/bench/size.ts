// Measures the size of the core in a page, by part, without chunks that are loaded later on demand.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'tsdown'
import javaScript from '../../.config/tsdown.config.ts'
import type { Bench } from './measuring/figure.ts'
import { packageFolder } from './package.ts'

/** The part a module belongs to, by its path. */
const parts: readonly (readonly [RegExp, string])[] = [
  [/\/node_modules\/zod\//, 'zod'],
  [/\/node_modules\//, 'other libraries'],
  [/\/src\/contract\//, 'contract'],
  [/\/src\/service\/fixture\//, 'reading and writing fixtures'],
  [/\/src\/service\//, 'store, rows and resources'],
  [/\/src\/mock\/controls\//, 'controls'],
  [/\/src\/mock\/report\//, 'report'],
  [/\/src\//, 'requests'],
  [/\/fixtures\//, 'fixtures'],
]

interface Rendered {
  readonly fileName: string
  /** Chunks loaded along with this one. */
  readonly imports: readonly string[]
  readonly modules: Readonly<Record<string, { readonly renderedLength: number }>>
}

/** The shares of the parts in the code before it is minified, largest first. */
function sharesOf(chunks: readonly Rendered[]): string {
  const lengths = new Map<string, number>()
  for (const [id, { renderedLength }] of chunks.flatMap(({ modules }) => Object.entries(modules))) {
    const [, part = 'else'] = parts.find(([pattern]) => pattern.test(id)) ?? []
    lengths.set(part, (lengths.get(part) ?? 0) + renderedLength)
  }
  const whole = [...lengths.values()].reduce((sum, length) => sum + length, 0)
  return [...lengths]
    .filter(([, length]) => length >= whole / 200)
    .sort(([, a], [, b]) => b - a)
    .map(([part, length]) => `${part} ${String(Math.round((length / whole) * 100))}%`)
    .join(', ')
}

/** A chunk and all chunks loaded with it. */
function loadedWith(
  fileName: string,
  chunks: ReadonlyMap<string, Rendered>,
  known = new Set<string>(),
): Rendered[] {
  const chunk = chunks.get(fileName)
  if (!chunk || known.has(fileName)) return []
  known.add(fileName)
  return [chunk, ...chunk.imports.flatMap((name) => loadedWith(name, chunks, known))]
}

export const sizes: Bench = {
  name: 'size',
  title: 'Size of the core for the browser',
  async run() {
    const outDir = join(packageFolder(), '../core')
    const [built] = await build({
      ...javaScript,
      config: false,
      entry: { core: 'src/index.ts' },
      outDir,
      minify: true,
      logLevel: 'silent',
    })
    const chunks = new Map(
      (built?.chunks as unknown as readonly Rendered[]).map((chunk) => [chunk.fileName, chunk]),
    )
    const loaded = loadedWith('core.js', chunks)
    const texts = loaded.map(({ fileName }) => readFileSync(join(outDir, fileName)))
    const zipped = texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0)
    const size = texts.reduce((sum, text) => sum + text.length, 0)
    return [
      {
        work: 'browser core with fixtures, minified and gzipped',
        figure: `${(zipped / 1024).toFixed(0)} KiB`,
        target: '<= 120 KiB',
        ours: `${(size / 1024).toFixed(0)} KiB minified`,
        limit: sharesOf(loaded),
      },
    ]
  },
}
