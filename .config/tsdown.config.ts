// The JavaScript of the published build: one file an entry plus shared chunks, with what is used of the libraries
// inside, so that the package needs nothing at run time. build.ts adds the declarations.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsdown'
import { commanderModules } from './commander-modules.ts'
import { inlineCss } from './inline-css.ts'
import { entries } from './entries.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Other entries load these without the rest of the core. */
const apart = /\/src\/mock\/(?:journal\/coverage-counts|node-version)\.ts$/

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}
let loaded: Set<string> | undefined

/** Whether `src/index.ts` imports a module, directly or through others. Rolldown's own runtime is a part of it. */
function isLoadedWithIndex(id: string, graph: Graph): boolean {
  if (!loaded) {
    loaded = new Set([`${root}src/index.ts`])
    // A set goes on to what is added meanwhile.
    for (const module of loaded)
      for (const imported of graph.getModuleInfo(module)?.importedIds ?? []) loaded.add(imported)
  }
  return (loaded.has(id) || id.includes('rolldown/runtime')) && !apart.test(id)
}

export default defineConfig({
  plugins: [commanderModules, inlineCss],
  cwd: root,
  entry: entries,
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  outDir: 'dist',
  clean: false,
  dts: false,
  // node: is left to the plugin.
  deps: { alwaysBundle: [/^(?!node:|msw|vitest)/], neverBundle: [/^msw/, /^vitest/] },
  // Of @mswjs/data only its queries are used: what it and its libraries would do on being loaded is not.
  treeshake: {
    moduleSideEffects: [
      {
        test: /\/node_modules\/(?:@mswjs\/data|@msw\/data|rettime|outvariant|mutative|es-toolkit|debug)\//,
        sideEffects: false,
      },
    ],
  },
  // Names of functions and classes stay, for stack traces. Fewer characters make a start shorter.
  minify: {
    compress: { keepNames: { function: true, class: true } },
    mangle: { keepNames: true },
    codegen: { removeWhitespace: true },
  },
  // Few files: each costs a start half a millisecond. What an entry does not need stays out of those it loads.
  inputOptions: { preserveEntrySignatures: 'allow-extension' },
  outputOptions: {
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'contract', test: /\/src\/contract\/|\/node_modules\/zod\// },
        { name: (id, graph) => (isLoadedWithIndex(id, graph) ? 'core' : null) },
      ],
    },
  },
  sourcemap: false,
  report: false,
  logLevel: 'warn',
})
