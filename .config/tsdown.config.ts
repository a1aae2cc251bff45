// The JavaScript of the published build: one file an entry plus shared chunks, with what is used of the libraries
// inside, so that the package needs nothing at run time. build.ts adds the declarations.
import { defineConfig } from 'tsdown'
import { commanderModules } from './commander-modules.ts'
import { inlineCss } from './inline-css.ts'
import { entries } from './entries.ts'

export default defineConfig({
  plugins: [commanderModules, inlineCss],
  cwd: `${import.meta.dirname}/..`,
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
  // Names and lines stay, for stack traces; whoever ships it to browsers has a bundler that compresses.
  minify: { compress: { keepNames: { function: true, class: true } }, mangle: false, codegen: false },
  // Few files: each costs a start half a millisecond. What an entry does not need stays out of those it loads.
  inputOptions: { preserveEntrySignatures: 'allow-extension' },
  outputOptions: {
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        { name: 'contract', test: /\/src\/contract\/|\/node_modules\/zod\// },
        {
          name: 'core',
          test: /\/src\/(?:(?:store|rows|resources|fixture|core(?!\/(?:coverage-counts|node-version))|client-report)\/|controls\/(?!far\/|routes)|explore\/host|msw\/(?!index)|mock|caller-stack)|\/fixtures\/|\/node_modules\/(?:@mswjs|es-toolkit|jsep|@remix-run|@date-fns)\//,
        },
      ],
    },
  },
  sourcemap: false,
  report: false,
  logLevel: 'warn',
})
