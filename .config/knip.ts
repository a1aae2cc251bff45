// Finds unused files, exports and dependencies.
import type { KnipConfig } from 'knip'
import { publicEntries } from './entries.ts'

const config: KnipConfig = {
  entry: [
    ...Object.values(publicEntries),
    // Referenced by path, or in configurations that knip does not read.
    'src/coverage-setup.ts',
    'src/vitest-browser.ts',
    '.config/vitest.mutation.config.ts',
    // Run by hand or in CI.
    'test/fidelity/main.ts',
    // Scripts of pages, named in tsdown.console.config.ts.
    'src/tools/console/{page,run-page}.ts',
    // Started as separate processes, so no module imports them.
    'test/bench/measuring/bare-server.ts',
    'test/bench/run-one.ts',
    'test/vitest/{suites,coverage-suites}/*.ts',
    'test/readme/vitest.config.ts',
    'test/foreign/support/{recorded.config,record}.ts',
    // Compiled or run next to the code they test.
    'test/package/support/consumer*.ts',
    'test/openapi/clients/*.ts',
  ],
  project: ['src/**', 'fixtures/**', 'test/**', '.config/**'],
  // The examples are projects with their own manifests, except for the demo page, which belongs to this project.
  ignore: ['test/examples/!(demo-page)/**', 'test/foreign/tools/**'],
  // Generated where the clients are compiled.
  ignoreUnresolved: [/^\.\/generated\//],
  // Available on every system that runs the tests.
  ignoreBinaries: ['mkfifo'],
  // A type is exported along with the type that contains it, so that the declarations can name it.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // vitest uses a reporter's default export; code uses its name.
  rules: { duplicates: 'off' },
  vitest: { config: '.config/vitest.{config,foreign.config,package.config}.ts' },
  stryker: { config: '.config/stryker.config.js' },
}

export default config
