// Builds the published JavaScript: one file per entry plus shared chunks. The used parts of libraries are included, so that
// the package needs nothing else at run time. build.ts adds the declarations.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsdown'
import { commanderModules } from './commander-modules.ts'
import { inlineCss } from './inline-css.ts'
import { entries } from './entries.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Other entries load these modules without the rest of the core. */
const apart = /\/src\/mock\/(?:journal\/coverage-counts|node-version)\.ts$/

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}
let loaded: Set<string> | undefined

/** Whether `src/index.ts` imports a module directly or indirectly. Rolldown's runtime counts as imported. */
function isLoadedWithIndex(id: string, graph: Graph): boolean {
  if (!loaded) {
    loaded = new Set([`${root}src/index.ts`])
    // Iterating over a set includes items added during the iteration.
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
  // commanderModules handles node: imports.
  deps: { alwaysBundle: [/^(?!node:|msw|vitest)/], neverBundle: [/^msw/, /^vitest/] },
  // Only the queries of @mswjs/data are used, so side effects of loading it and its libraries are dropped.
  treeshake: {
    moduleSideEffects: [
      {
        test: /\/node_modules\/(?:@mswjs\/data|@msw\/data|rettime|outvariant|mutative|es-toolkit|debug)\//,
        sideEffects: false,
      },
    ],
  },
  // Minified, because less code makes a start faster. Stack traces need the names of functions and classes.
  minify: {
    compress: { keepNames: { function: true, class: true } },
    mangle: { keepNames: true },
    codegen: { removeWhitespace: true },
  },
  // Keeps the number of files small, because each adds half a millisecond to a start. An entry
  // loads no file with code it does not need.
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
