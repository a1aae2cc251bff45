// The published build: one file an entry plus shared chunks, with what is used of the libraries inside,
// so that the package needs nothing at run time; declarations by tsc, with the types they use inside too.
import { defineConfig } from 'tsdown'

export default defineConfig({
  cwd: `${import.meta.dirname}/..`,
  entry: {
    index: 'src/index.ts',
    node: 'src/node/index.ts',
    cli: 'src/node/cli.ts',
  },
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  outDir: 'dist',
  clean: true,
  dts: { resolver: 'tsc' },
  deps: { alwaysBundle: [/^(?!node:|msw|vitest)/], neverBundle: [/^node:/, /^msw/, /^vitest/] },
  treeshake: true,
  sourcemap: false,
  report: false,
})
