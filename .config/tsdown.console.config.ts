// Builds the self-contained page scripts: the standalone server's console, and a saved run, which includes the mock.
import { defineConfig, type UserConfig } from 'tsdown'
import { inlineCss } from './inline-css.ts'

/** Leaves out explorations, which saved runs do not offer. */
const withoutExplorations = {
  name: 'without-explorations',
  load: (id: string) =>
    id.endsWith('/src/tools/explore/explore.ts')
      ? 'export const exploreInProcess = () => { throw new Error("a saved run cannot be explored") }'
      : undefined,
}

const toPageScript = (name: string, source: string, plugins: UserConfig['plugins'] = []) =>
  defineConfig({
    cwd: `${import.meta.dirname}/..`,
    plugins: [plugins, inlineCss],
    entry: { [name]: source },
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    outDir: 'dist',
    // Calls of `h` take children as arguments; the automatic runtime would make the code 3 % longer.
    inputOptions: {
      transform: {
        jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
        inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] },
      },
    },
    outputOptions: { entryFileNames: `${name}.js`, codeSplitting: false },
    clean: false,
    dts: false,
    minify: true,
    deps: { alwaysBundle: [/./], onlyBundle: false },
    report: false,
    logLevel: 'error',
  })

export default [
  toPageScript('console', 'src/tools/console/page.ts'),
  toPageScript('run-console', 'src/tools/console/run-page.ts', [withoutExplorations]),
]
