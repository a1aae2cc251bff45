// Owns how the tests run: the unit tests once, the behaviour suite once for each target.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { FidelityReporter } from '../test/fidelity/reporter.ts'
import { browserProjects } from './browser-tests.ts'
import { sourceAliases } from './entries.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The behaviour suite against one target; what a test leaves behind is a closed mock, so files share a worker. */
const behaviour = (target: 'in-process' | 'standalone') => ({
  extends: true as const,
  test: {
    name: target,
    include: ['test/behaviour/**/*.test.ts', 'test/fidelity/targets/**/*.test.ts'],
    provide: { target },
    isolate: false,
  },
})

export default defineConfig({
  root,
  resolve: { alias: sourceAliases },
  test: {
    pool: 'forks',
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', new FidelityReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'test/{contract,controls,explore,fixture,mock,msw,node,openapi,pull,readme,resources,rows,store,verify}/**/*.test.ts',
            'test/browser/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'random',
          include: ['test/fidelity/{hostile,sequences}/**/*.test.ts'],
          testTimeout: 3_600_000,
          isolate: false,
        },
      },
      behaviour('in-process'),
      behaviour('standalone'),
      ...browserProjects(),
    ],
  },
})
