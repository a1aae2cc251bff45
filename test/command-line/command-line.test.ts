// The command line as users see it: what it prints, and how it ends.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testFixture } from '../behaviour/support/fixture.ts'
import { cli, directory, failed, fileOf, printed, run, type Run } from './support/command-line.ts'

/** The base address that a server process prints, once its whole greeting has arrived. */
async function served(process: Run): Promise<string> {
  const [, url = ''] = await printed(process, 'out', /(http:\/\/127\.0\.0\.1:\d+\/v1)\n[^]*Try:/)
  return url
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

  it('counts none of the requests with which it finds the calls that it prints', async () => {
    const process = run('serve', '--port', '0', '--quiet')
    const url = await served(process)
    const response = await fetch(url.replace('/v1', '/__mock/explain'))
    expect(await response.text()).toBe('No request has reached the mock.')
  })

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

  it('ends with 1 and names the fault and its place when it cannot serve', async () => {
    const errors = await Promise.all([
      failed(1, 'serve', '--port', '0', '--fixture', join(directory, 'none.json')),
      failed(1, 'serve', '--port', '0', '--fixture', fileOf('broken.json', '{')),
      failed(
        1,
        'serve',
        '--port',
        '0',
        '--fixture',
        fileOf('wrong.json', { workspaces: [{ name: 'x', plan: 'gold' }] }),
      ),
      failed(1, 'serve', '--port', '0', '--answers', fileOf('wrong-answers.json', { rowShape: 'round' })),
      failed(1, 'serve', '--port', '0', '--fixture', directory),
      failed(1, 'serve', '--port', '0', '--fixture', fileOf('null.json', null)),
      failed(1, 'serve', '--port', '0', '--host', ''),
    ])
    const causes = [
      'none.json',
      'broken.json',
      'workspaces[0].plan',
      'rowShape',
      directory,
      'null.json: ',
      'host',
    ]
    for (const [index, cause] of causes.entries()) expect(errors[index]).toContain(cause)
  })

  it.each([
    ['demo', 'demo'],
    [
      'names that a shell or an address would split',
      fileOf('odd-names.json', {
        workspaces: [
          {
            name: 'Odd',
            plan: 'pro',
            members: [{ id: 'mem_1', name: 'Ada' }],
            keys: [{ key: "wm_it's", name: 'master', kind: 'master' }],
            tables: [
              { id: "tbl a'#b", name: 'T', columns: [{ id: "col_o'x", name: 'N', type: 'text' }], rows: [] },
            ],
          },
        ],
      }),
    ],
  ])('suggests command lines that work, with the fixture of %s', async (_, fixture) => {
    const process = run('serve', '--port', '0', '--fixture', fixture)
    await printed(process, 'out', /Try:\n(?: .+\n){3}/)
    const lines = process.out.match(/^ +curl .+$/gm) ?? []
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      const status = execFileSync('sh', ['-c', `${line} -s -o /dev/null -w '%{http_code}'`], {
        encoding: 'utf8',
      })
      expect(status, line).toMatch(/^20[02]$/)
    }
  })

  it('reports a fixture without keys', async () => {
    const file = fileOf('no-keys.json', { workspaces: [{ name: 'x', plan: 'pro' }] })
    const process = run('serve', '--port', '0', '--fixture', file)
    await printed(process, 'out', /The fixture has no keys/)
    expect(process.out).not.toContain('Try:')
  })

  it('ends with 1 and names the port when it is taken', async () => {
    const first = run('serve', '--port', '0', '--fixture', 'empty')
    const port = new URL(await served(first)).port
    expect(await failed(1, 'serve', '--port', port)).toContain(port)
  })
})

describe.skipIf(!existsSync('/dev/full'))('output that cannot be written', () => {
  it.each([
    ['questions', 1],
    ['openapi', 1],
    ['explore -- true', 2],
  ])('%s fails with %i and why', (command, code) => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `"${process.execPath}" "${cli}" ${command} > /dev/full`],
      {
        encoding: 'utf8',
      },
    )
    expect(stderr).toMatch(/^error: /)
    expect(status).toBe(code)
  })

  it('questions ends with 0 where its reader has read enough', () => {
    const command = `{ "${process.execPath}" "${cli}" questions; echo "$?" >&2; } | head -n 1`
    expect(spawnSync('sh', ['-c', command], { encoding: 'utf8' }).stderr).toBe('0\n')
  })
})

describe('colours', () => {
  it.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '' }, true],
  ])('with %j in the environment: %s', (given, isColoured) => {
    const unset = { NO_COLOR: undefined, FORCE_COLOR: undefined }
    const { stdout } = spawnSync(process.execPath, [cli, 'questions'], {
      encoding: 'utf8',
      env: { ...process.env, ...unset, ...given },
    })
    expect(stdout.includes('\x1b[')).toBe(isColoured)
  })

  it('of a status say whether the request succeeded, the client failed, or the server', async () => {
    const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--fixture', 'empty'], {
      env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: '1' },
    })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    await expect.poll(() => out, { timeout: 60_000 }).toContain('Try:')
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? ''
    const headers = { authorization: 'Bearer wm_empty_master' }
    await fetch(`${url}/v1/me`, { headers })
    await fetch(`${url}/v1/me`)
    await fetch(`${url}/v1/me`, { headers: { ...headers, prefer: 'code=500' } })
    await expect.poll(() => out, { timeout: 60_000 }).toMatch(/500\S* GET/)
    const colours = Array.from(out.matchAll(/\x1b\[(\d+)m(\d{3})\x1b/g), ([, colour, status]) => [
      status,
      colour,
    ])
    expect(colours).toEqual([
      ['200', '32'],
      ['401', '33'],
      ['500', '31'],
    ])
    child.kill()
  })
})

describe('the rest of the command line', () => {
  it('questions marks the default of each question, and counts them', async () => {
    const [text, json] = [run('questions'), run('questions', '--json')]
    await Promise.all([text.ended, json.ended])
    const { questions } = JSON.parse(json.out) as { questions: { fixed: boolean }[] }
    const others = questions.filter(({ fixed }) => !fixed).length
    expect(text.out).toContain(
      `\n${String(questions.length)} questions, ${String(others)} of them with other answers. * marks the default`,
    )
    expect(text.out.match(/^ {4}\* /gm)).toHaveLength(questions.length)
    expect(text.out).toMatch(/^ {2}rowShape .*\n(?: {4}\S.*\n)+ {4}\* data\n/m)
    // An answer in JSON does not wrap.
    const prose = text.out.split('\n').filter((line) => !/^ {4}[* ] [[{]/.test(line))
    expect(Math.max(...prose.map(({ length }) => length))).toBeLessThanOrEqual(100)
  })

  it('prints help, version and questions', async () => {
    const [help, serveHelp, version, questions, json] = [
      run('--help'),
      run('serve', '--help'),
      run('--version'),
      run('questions'),
      run('questions', '--json'),
    ]
    const codes = await Promise.all([help, serveHelp, version, questions, json].map(({ ended }) => ended))
    expect(codes).toEqual([0, 0, 0, 0, 0])
    expect(help.out).toContain('serve')
    for (const flag of [
      'port',
      'host',
      'fixture',
      'plan',
      'clock',
      'answers',
      'allow-host',
      'watch',
      'quiet',
      'json',
    ])
      expect(serveHelp.out).toContain(`--${flag}`)
    for (const { out } of [help, serveHelp]) expect(out).toContain('Exit code: 0')
    expect(version.out).toMatch(/^\d+\.\d+\.\d+/)
    expect(questions.out).toContain('rowShape')
    expect(JSON.stringify(JSON.parse(json.out))).toContain('jobTimeline')
  })
})
