// The modules of the browser entry: nothing specific to Node, and the console in a separate chunk.
import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const builtins = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]))

/** Imports of Node's modules, with the importing module. */
const nodeImports: string[] = []
const modules = new Set<string>()
let chunks: readonly Rolldown.OutputChunk[] = []

/** Builds entries and returns the chunks. */
async function chunksOf(entry: Record<string, string>): Promise<readonly Rolldown.OutputChunk[]> {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'walk',
        enforce: 'pre',
        resolveId(id, importer) {
          if (builtins.has(id)) nodeImports.push(`${importer ?? ''} imports ${id}`)
        },
        moduleParsed({ id }) {
          modules.add(id)
        },
      },
    ],
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ['es'] },
    },
  })
  const [output] = Array.isArray(result) ? result : [result]
  if (!output || !('output' in output)) throw new Error('the build gave no output')
  return output.output.filter((part) => part.type === 'chunk')
}

beforeAll(async () => {
  chunks = await chunksOf({ index: 'src/index.ts', browser: 'src/browser.ts' })
})

describe('the browser entry', () => {
  it('imports no module of Node, nor does the main entry', () => {
    expect(modules.size).toBeGreaterThan(100)
    expect(nodeImports).toEqual([])
    expect([...modules].filter((id) => id.startsWith(`${root}src/adapters/server/`))).toEqual([])
  })

  it('loads the console only when it is asked for', () => {
    const entry = chunks.find(({ name, isEntry }) => isEntry && name === 'browser')
    const atOnce = new Set<string>()
    const follow = (fileName: string) => {
      const chunk = chunks.find((candidate) => candidate.fileName === fileName)
      for (const id of chunk?.moduleIds ?? []) atOnce.add(id)
      chunk?.imports.forEach(follow)
    }
    follow(entry?.fileName ?? '')
    expect(entry?.dynamicImports.length).toBeGreaterThan(0)
    expect(
      [...atOnce].filter((id) => /preact|adapters\/control-api|tools\/console\/(?!mount)/.test(id)),
    ).toEqual([])
    expect([...modules].some((id) => id.includes('preact'))).toBe(true)
  })
})

describe('the page of the console', () => {
  it('has no schema of the contract, which would make it a third larger', async () => {
    const page = await chunksOf({ console: 'src/tools/console/page.ts' })
    const parts = page.flatMap(({ moduleIds }) => moduleIds)
    expect(parts.some((id) => id.includes('preact'))).toBe(true)
    expect(parts.filter((id) => /node_modules\/zod|src\/contract\/schema/.test(id))).toEqual([])
  })
})
