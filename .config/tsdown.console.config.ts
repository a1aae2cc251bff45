// The console page of the standalone server: one script with everything in it, which the server puts into its page.
import { defineConfig } from 'tsdown'
import { inlineCss } from './inline-css.ts'

export default defineConfig({
  cwd: `${import.meta.dirname}/..`,
  plugins: [inlineCss],
  entry: { console: 'src/tools/console/page.ts' },
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  outDir: 'dist',
  // Calls of `h` with the children as arguments are a thirtieth shorter than those of the automatic runtime.
  inputOptions: {
    transform: {
      jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
      inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] },
    },
  },
  outputOptions: { entryFileNames: 'console.js', codeSplitting: false },
  clean: false,
  dts: false,
  minify: true,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  report: false,
  logLevel: 'error',
})
