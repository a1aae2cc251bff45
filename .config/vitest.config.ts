// How the tests run: unit tests once, the behaviour suite once per target.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { FidelityReporter } from '../test/fidelity/reporter.ts'
import { browserProjects, decidedByTransport } from '../test/browser/support/browser-projects.ts'
import { sourceAliases } from './entries.ts'
import { WaitingFirst } from './test-order.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The behaviour suite against one target. Files share a worker: a test leaves nothing behind but a closed mock. */
const behaviour = (
  name: string,
  target: 'in-process' | 'intercepted' | 'standalone',
  env = {},
  include = ['test/{behaviour,fidelity/targets}/**/*.test.ts'],
) => ({
  extends: true as const,
  test: {
    name,
    include,
    provide: { target },
    isolate: false,
    ...env,
  },
})

/** Tests of the built package, in separate processes. */
const processes = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: { name, include, exclude, globalSetup: ['test/command-line/support/build.ts'] },
})

/** These tests intercept node:http, which would affect other files in the same process. */
const intercepting = ['test/msw/*.test.ts', 'test/mock/uploads.test.ts']

/** Each of these tests reads or checks a whole workspace. */
const wholeRuns = [
  'test/command-line/{coverage,examples,explore,own-data,processes,pull,verify,wrong-lines}.test.ts',
  'test/vitest/{coverage,helper}.test.ts',
]

const unitTests =
  'test/{contract,controls,explore,fixture,mock,msw,openapi,pull,resources,rows,server,store,verify}/**/*.test.ts'

/** These intercept every way of sending requests, or load modules anew, so each needs its own process. */
const thoroughAlone = [
  'test/explore/{families,hangs,late-load,libraries,parallel,patience,planted,planted-clients,real-turns,transports}.test.ts',
  'test/msw/signals.test.ts',
]

/** Slow tests that rarely break: `npm run test:thorough`, in CI after all other tests. */
const thorough = [
  ...thoroughAlone,
  'test/verify/{bad-deployments,causes,classes,clean-up,hostile-deployments,learn*,mutants,pulled-amount,unsteady,whole-demo,whole-runs}.test.ts',
  'test/openapi/{clients,validity,version-3-0}.test.ts',
  'test/pull/{anonymize,hostile-deployments,line,pull,recording}.test.ts',
  'test/{controls,fixture}/object-names.test.ts',
  'test/{fixture/contradictions,server/control-hostile}.test.ts',
  'test/{browser/graph,contract/records,mock/moves,mock/round-trips,rows/key-index}.test.ts',
  'test/controls/other-words.test.ts',
  'test/server/uploads.test.ts',
]

/** Processes, sockets, compilers, whole runs of `verify` and large tables of names; everything else is fast. */
const slow = [
  ...thorough,
  'test/{explore,pull,server,verify}/**',
  'test/fixture/own-fixtures.test.ts',
  'test/controls/{copy-as,coverage,other-words}.test.ts',
  'test/openapi/examples.test.ts',
  'test/behaviour/requests/robustness.test.ts',
]

/** A time zone other than UTC, as on users' machines. Tests over HTTP use this machine's zone. */
const inNewYork = { env: { TZ: 'America/New_York' } } as const

/** Tests that depend on time also run in a time zone with a half-hour offset. */
const timed = [
  'test/behaviour/controls/{clock,determinism}.test.ts',
  'test/behaviour/requests/limits.test.ts',
  'test/behaviour/report/time.test.ts',
  'test/behaviour/rows/{columns,jobs,query}.test.ts',
  'test/behaviour/tasks/{changes,recurrence,recurrence-zones,time-entries}.test.ts',
  'test/behaviour/workspace/forms.test.ts',
  'test/resources/**/*.test.ts',
  'test/mock/{clock,journal,system-clock}.test.ts',
]

export default defineConfig({
  root,
  resolve: { alias: sourceAliases },
  test: {
    pool: 'forks',
    maxWorkers: availableParallelism(),
    sequence: { sequencer: WaitingFirst },
    // Transforms each module once, not once per project.
    experimental: { fsModuleCache: true },
    // The limit only catches tests that hang; a busy machine can be many times slower than an idle one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ['default', new FidelityReporter()],
    setupFiles: ['test/json-equality.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [unitTests, 'test/browser/*.test.ts'],
          exclude: [...thorough, ...intercepting],
          isolate: false,
          ...inNewYork,
        },
      },
      {
        extends: true,
        test: { name: 'unit-intercepting', include: intercepting, exclude: thorough, ...inNewYork },
      },
      {
        extends: true,
        test: {
          name: 'on-demand-thorough-random',
          include: ['test/fidelity/{hostile,sequences}/**/*.test.ts'],
          testTimeout: 3_600_000,
          isolate: false,
        },
      },
      processes('command-line', ['test/{command-line,readme,vitest}/*.test.ts'], wholeRuns),
      processes('on-demand-thorough-command-line', wholeRuns),
      {
        extends: true,
        test: { name: 'on-demand-thorough', include: thorough, exclude: thoroughAlone, isolate: false },
      },
      { extends: true, test: { name: 'on-demand-thorough-alone', include: thoroughAlone } },
      {
        extends: true,
        test: {
          name: 'on-demand-quick',
          include: [unitTests, 'test/behaviour/**/*.test.ts'],
          exclude: slow,
          provide: { target: 'in-process' },
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'on-demand-thorough-kolkata',
          include: timed,
          isolate: false,
          env: { TZ: 'Asia/Kolkata' },
          provide: { target: 'in-process' },
        },
      },
      behaviour('in-process', 'in-process', inNewYork),
      behaviour('intercepted', 'intercepted', inNewYork, decidedByTransport),
      behaviour('standalone', 'standalone', {}, [
        ...decidedByTransport,
        // Together, these files reach every line of the server that the whole suite reaches.
        'test/behaviour/{answers,report}/requests.test.ts',
      ]),
      // The matrix of the package's tests runs the rest of the suite through MSW.
      behaviour('on-demand-thorough-intercepted', 'intercepted', inNewYork, [
        'test/fidelity/targets/**/*.test.ts',
      ]),
      behaviour('on-demand-thorough-standalone', 'standalone'),
      ...browserProjects(),
    ],
  },
})
