// Owns the command line as a user meets it: what it prints, and how it ends.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { testFixture } from '../behaviour/fixture.ts'

const cli = fileURLToPath(new URL('../../src/node/cli.ts', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'workspace-api-mock-'))
afterAll(() => {
  rmSync(directory, { recursive: true })
})

interface Run {
  readonly child: ChildProcess
  out: string
  err: string
  readonly ended: Promise<number | null>
}

const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
})

function run(...flags: string[]): Run {
  const child = spawn(process.execPath, ['--import', 'tsx', cli, ...flags], {
    env: { ...process.env, NO_COLOR: '1' },
  })
  running.add(child)
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      running.delete(child)
      resolve(code)
    })
  })
  const started: Run = { child, out: '', err: '', ended }
  child.stdout.on('data', (chunk: Buffer) => (started.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (started.err += chunk.toString()))
  return started
}

/** The base address a served process printed. */
async function served(process: Run): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const url = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(process.out)?.[0]
      if (url !== undefined && process.out.includes('Try:')) resolve(url)
    }
    process.child.stdout?.on('data', look)
    void process.ended.then((code) => {
      reject(new Error(`ended with ${String(code)}: ${process.err}`))
    })
    look()
  })
}

function fileOf(name: string, content: unknown): string {
  const path = join(directory, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function failed(...flags: string[]): Promise<string> {
  const process = run(...flags)
  const code = await process.ended
  expect(code).not.toBe(0)
  expect(process.err).not.toContain('    at ')
  return process.err
}

describe('serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints address, keys and curl lines, answers, and ends cleanly on %s',
    async (signal) => {
      const process = run('serve', '--port', '0', '--quiet')
      const url = await served(process)
      for (const key of ['wm_demo_master', 'wm_demo_scoped', 'wm_free_master'])
        expect(process.out).toContain(key)
      expect(process.out.match(/curl /g)?.length).toBeGreaterThanOrEqual(3)
      const response = await fetch(`${url}/me`, { headers: { authorization: 'Bearer wm_demo_master' } })
      expect(response.status).toBe(200)
      process.child.kill(signal)
      expect(await process.ended).toBe(0)
      expect(process.err).toBe('')
    },
  )

  it('serves a fixture from a file on a plan, with answers and a manual clock', async () => {
    const fixture = fileOf('fixture.json', testFixture)
    const answers = fileOf('answers.json', { rowShape: 'flat' })
    const process = run(
      'serve',
      '--port',
      '0',
      '--fixture',
      fixture,
      '--plan',
      'scale',
      '--answers',
      answers,
      '--clock',
      'manual',
    )
    const url = await served(process)
    const read = async (path: string) =>
      (await (
        await fetch(`${url}${path}`, { headers: { authorization: 'Bearer wm_test_master' } })
      ).json()) as unknown
    expect(await read('/me')).toMatchObject({ workspace: { id: 'ws_main', plan: 'scale' } })
    expect(await read('/datatables/tbl_linked/rows/lin_1')).toMatchObject({ col_name: 'One' })
    const health = await (await fetch(url.replace('/v1', '/__mock/health'))).json()
    expect(health).toMatchObject({ fixture: 'behaviour', clock: { now: testFixture.clock, mode: 'manual' } })
    expect(process.out).toMatch(/^200 GET +\/v1\/me$/m)
  })

  it('fails with what is wrong and where when it cannot serve', async () => {
    const errors = await Promise.all([
      failed('serve', '--port', '0', '--fixture', join(directory, 'none.json')),
      failed('serve', '--port', '0', '--fixture', fileOf('broken.json', '{')),
      failed(
        'serve',
        '--port',
        '0',
        '--fixture',
        fileOf('wrong.json', { workspaces: [{ name: 'x', plan: 'gold' }] }),
      ),
      failed('serve', '--port', '0', '--answers', fileOf('wrong-answers.json', { rowShape: 'round' })),
      failed('serve', '--port', 'many'),
      failed('serve', '--plan', 'gold'),
    ])
    const causes = ['none.json', 'broken.json', 'workspaces[0].plan', 'rowShape', 'many', 'gold']
    for (const [index, cause] of causes.entries()) expect(errors[index]).toContain(cause)
  })

  it('fails with the port when it is taken', async () => {
    const first = run('serve', '--port', '0', '--fixture', 'empty')
    const port = new URL(await served(first)).port
    expect(await failed('serve', '--port', port)).toContain(port)
  })
})

describe('the rest of the command line', () => {
  it('prints help, version and questions', async () => {
    const [help, serveHelp, version, questions, json, unknown] = [
      run('--help'),
      run('serve', '--help'),
      run('--version'),
      run('questions'),
      run('questions', '--json'),
      run('sevre'),
    ]
    const codes = await Promise.all(
      [help, serveHelp, version, questions, json, unknown].map(({ ended }) => ended),
    )
    expect(codes.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
    expect(codes[5]).not.toBe(0)
    expect(help.out).toContain('serve')
    for (const flag of ['--port', '--host', '--fixture', '--plan', '--clock', '--answers', '--allow-host'])
      expect(serveHelp.out).toContain(flag)
    expect(version.out).toMatch(/^\d+\.\d+\.\d+/)
    expect(questions.out).toContain('rowShape')
    expect(JSON.stringify(JSON.parse(json.out))).toContain('jobTimeline')
    expect(unknown.err).toContain('sevre')
  })
})
