// Measures what the core weighs in a page, and what of.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'tsdown'
import javaScript from '../../.config/tsdown.config.ts'
import type { Bench } from './figure.ts'
import { packageFolder } from './package.ts'

/** What a module counts to, by its path. */
const parts: readonly (readonly [RegExp, string])[] = [
  [/\/node_modules\/zod\//, 'zod'],
  [/\/node_modules\/(?:@mswjs|mutative|rettime|es-toolkit|outvariant)\//, '@mswjs/data and what it needs'],
  [/\/node_modules\//, 'other libraries'],
  [/\/src\/contract\//, 'contract'],
  [/\/src\/model\//, 'model'],
  [/\/src\//, 'requests, report and controls'],
  [/\/fixtures\//, 'fixtures'],
]

interface Rendered {
  readonly fileName: string
  readonly modules: Readonly<Record<string, { readonly renderedLength: number }>>
}

/** The shares of the parts in the code before it is minified, largest first. */
function sharesOf({ modules }: Rendered): string {
  const lengths = new Map<string, number>()
  for (const [id, { renderedLength }] of Object.entries(modules)) {
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
      outputOptions: { codeSplitting: false },
      logLevel: 'silent',
    })
    const core = (built?.chunks as unknown as readonly Rendered[]).find(
      ({ fileName }) => fileName === 'core.js',
    )
    if (!core) throw new Error('nothing was built')
    const path = join(outDir, 'core.js')
    const zipped = gzipSync(readFileSync(path), { level: 9 }).length
    return [
      {
        work: 'core for the browser, minified and gzipped, with its fixtures',
        figure: `${(zipped / 1024).toFixed(0)} KiB`,
        ours: `${(statSync(path).size / 1024).toFixed(0)} KiB minified`,
        limit: sharesOf(core),
      },
    ]
  },
}
