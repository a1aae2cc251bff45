// What knip holds the repository to: no file, export or dependency that nothing uses.
import type { KnipConfig } from 'knip'
import { publicEntries } from './entries.ts'

const config: KnipConfig = {
  entry: [
    ...Object.values(publicEntries),
    // Named by path, or in configurations that are not read for it.
    'src/coverage-setup.ts',
    'src/vitest-browser.ts',
    '.config/vitest.mutation.config.ts',
    // Run by hand or in CI.
    'test/fidelity/main.ts',
    // The scripts of pages, named by the configuration of their build.
    'src/tools/console/{page,run-page}.ts',
    // Started as processes of their own, so that no module imports them.
    'test/bench/measuring/bare-server.ts',
    'test/bench/run-one.ts',
    'test/vitest/{suites,coverage-suites}/*.ts',
    'test/readme/vitest.config.ts',
    'test/foreign/support/{recorded.config,record}.ts',
    // Compiled or run beside what they are to prove.
    'test/package/support/consumer*.ts',
    'test/openapi/clients/*.ts',
  ],
  project: ['src/**', 'fixtures/**', 'test/**', '.config/**'],
  // The examples are projects with manifests of their own; the demo page has none and belongs to this one.
  ignore: ['test/examples/!(demo-page)/**', 'test/foreign/tools/**'],
  // Made where the clients are compiled.
  ignoreUnresolved: [/^\.\/generated\//],
  // Part of every system that the tests run on.
  ignoreBinaries: ['mkfifo'],
  // A type is exported with the one that it is a part of, so that the declarations can name it.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // vitest takes a reporter by its default export; in code it has a name.
  rules: { duplicates: 'off' },
  vitest: { config: '.config/vitest.{config,foreign.config,package.config}.ts' },
  stryker: { config: '.config/stryker.config.js' },
}

export default config
