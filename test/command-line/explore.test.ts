// The command `explore`: clients in Python and as shell scripts, and how it ends.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { directory, fileOf, run } from './support/command-line.ts'

const has = (program: string) => {
  try {
    execFileSync(program, ['--version'])
    return true
  } catch {
    return false
  }
}
const client = fileURLToPath(new URL('support/import.py', import.meta.url))

async function explored(...flags: string[]) {
  const process = run('explore', ...flags)
  const code = await process.ended
  return { code, out: process.out, err: process.err }
}
const exploredJson = async (...flags: string[]) => {
  const { code, out, err } = await explored('--json', ...flags)
  expect(err).toBe('')
  return { code, ...JSON.parse(out) }
}

describe.skipIf(!has('python3'))('explore -- python3', () => {
  test('finds that a client repeats a write', async () => {
    const { code, out } = await explored('--families', 'errors', '--jobs', '4', '--', 'python3', client)
    expect(code, out).toBe(1)
    expect(out).toMatch(/^createTask 1 +ok +ok +ok +ok +twice$/m)
    expect(out).toContain('11 runs, 9 of 9 failures tried: 1 finding')
    expect(out).toContain("mock.fault({ operation: 'createTask', network: true, phase: 'after' })")
    expect(out).toMatch(
      /\n\nNot tried: outage, repeated, latency, outcomes, crash, concurrency, compatibility, answers\. --families all tries everything\.\n$/,
    )
  })

  test('finds nothing in a client that reads before it repeats a write', async () => {
    const { code, findings, notes, covered } = await exploredJson(
      '--jobs',
      '4',
      '--',
      'python3',
      client,
      '--careful',
    )
    expect(findings).toEqual([])
    expect({ code, covered }).toEqual({ code: 0, covered: { tried: 9, possible: 9 } })
    expect(notes).toEqual([
      expect.stringContaining('a second undisturbed run leaves a different state: task "Import'),
    ])
  })
})

const get = 'curl -sf -H "Authorization: Bearer $WORKSPACE_API_KEY" "$WORKSPACE_API_URL/me"'

describe.skipIf(!has('curl'))('explore -- a shell script', () => {
  test('finds that a client gives up', async () => {
    const script = fileOf('once.sh', `set -e\n${get}\necho read\n`)
    const { code, findings } = await exploredJson('--jobs', '4', '--', 'sh', script)
    expect(code).toBe(1)
    expect(findings.map(({ kind, severity, count }: any) => [kind, severity, count])).toEqual([
      ['gave up', 'error', 3],
      ['gave up', 'assumption', 1],
    ])
    expect(findings[0]).toMatchObject({ operation: 'getIdentity', fault: { status: 503 }, family: 'errors' })
    expect(findings[0].message).toContain('exit code 22')
  })

  test('takes a line for the shell, with each run on the state of the fixture, and sees a failure that || true hides', async () => {
    const seen = join(directory, 'seen')
    const { code, runs, findings } = await exploredJson(
      '--fixture',
      'empty',
      '--max-runs',
      '4',
      '--',
      `${get} >> ${seen} || true`,
    )
    expect({ code, runs }).toEqual({ code: 1, runs: 4 })
    expect(findings).toMatchObject([{ kind: 'result', operation: 'getIdentity' }])
    expect(readFileSync(seen, 'utf8').match(/"plan"/g)).toHaveLength(2)
  })

  test('tries more with --faults and --families', async () => {
    const script = fileOf('patient.sh', `${get} || ${get} || true\n`)
    const tried = async (...flags: string[]) => {
      const { covered } = await exploredJson('--jobs', '4', ...flags, '--', 'sh', script)
      return covered
    }
    expect(await tried()).toEqual({ tried: 5, possible: 5 })
    const all = await tried('--faults', 'all')
    expect(all.possible).toBeGreaterThan(5)
    expect(await tried('--families', 'crash')).toEqual({ tried: 1, possible: 1 })
  })

  test('ends processes that the command leaves running, without waiting for them', async () => {
    const script = fileOf('left.sh', `sleep 600 &\n${get} || true\n`)
    const { code, findings, runs } = await exploredJson('--max-runs', '3', '--', 'sh', script)
    expect({ code, findings, runs }).toEqual({ code: 0, findings: [], runs: 3 })
  })

  test.skipIf(!has('setsid'))('ends with the command although a daemon keeps its output open', async () => {
    const script = fileOf('daemon.sh', `setsid sleep 20 &\n${get} || true\n`)
    const began = Date.now()
    const { code, findings, runs } = await exploredJson('--max-runs', '3', '--', 'sh', script)
    expect({ code, findings, runs }).toEqual({ code: 0, findings: [], runs: 3 })
    const hanging = fileOf('hanging-daemon.sh', `setsid sleep 20 &\n${get} || sleep 600\n`)
    const late = await exploredJson('--timeout', '2s', '--max-runs', '3', '--', 'sh', hanging)
    expect(late.findings).toMatchObject([{ kind: 'hang' }])
    expect(Date.now() - began).toBeLessThan(19_000)
  })

  test('ends the command and its children at a SIGHUP', async () => {
    const pids = join(directory, 'pids')
    const script = fileOf('hup.sh', `sleep 600 &\necho $! $$ >> ${pids}\n${get}\nwait\n`)
    const process = run('explore', '--', 'sh', script)
    while (!existsSync(pids) || readFileSync(pids, 'utf8') === '') await setTimeout(20)
    process.child.kill('SIGHUP')
    expect(await process.ended).toBe(2)
    const isAlive = (pid: number) => {
      try {
        return globalThis.process.kill(pid, 0)
      } catch {
        return false
      }
    }
    const [first = ''] = readFileSync(pids, 'utf8').split('\n')
    while (first.split(' ').map(Number).some(isAlive)) await setTimeout(20)
  })

  test('stops the command at each request and runs it again in the same copy of a folder', async () => {
    const comment = `curl -sf -H "Authorization: Bearer $WORKSPACE_API_KEY" -H 'content-type: application/json' -d '{"content":"Once"}' "$WORKSPACE_API_URL/tasks/tsk_replace_burrs/comments"`
    const folder = mkdtempSync(join(directory, 'job-'))
    const crashed = async (line: string) => {
      writeFileSync(join(folder, 'run.sh'), `set -e\n[ ! -f done ] || exit 0\n${line}\n`)
      return exploredJson('--families', 'crash', '--copy', folder, '--', 'sh', 'run.sh')
    }
    const careless = await crashed(`${comment}\ntouch done`)
    expect(careless).toMatchObject({ code: 1, notes: [], covered: { tried: 2, possible: 2 } })
    expect(careless.findings).toMatchObject([
      { family: 'crash', cause: 'state comment twice', name: 'stopped after', count: 1 },
    ])
    expect(careless.findings[0].reproduction).toMatch(
      /^mock\.fault\(\{ operation: 'createComment', phase: 'after', effect: \{ stop: true \} \}\)\n.*resetFaults/,
    )
    const early = await crashed(`touch done\n${comment}`)
    expect(early.findings).toMatchObject([{ cause: 'state comment missing', name: 'stopped before' }])
    expect(readdirSync(folder)).toEqual(['run.sh'])
  })

  test('ends with 2 at an interruption before anything was found', async () => {
    const seen = join(directory, 'begun-careful')
    const line = `echo >> ${seen}; ${get} || true; sleep 0.2`
    const process = run('explore', '--json', '--', line)
    while (!existsSync(seen) || readFileSync(seen, 'utf8').length < 4) await setTimeout(20)
    process.child.kill('SIGTERM')
    expect(await process.ended).toBe(2)
    expect(JSON.parse(process.out)).toMatchObject({ interrupted: true, findings: [] })
  })

  test('names a command that does not end, and ends its processes', async () => {
    const script = fileOf('hang.sh', `${get} || sleep 600\n`)
    const { code, findings } = await exploredJson('--timeout', '2s', '--max-runs', '3', '--', 'sh', script)
    expect(code).toBe(1)
    expect(findings).toMatchObject([
      { kind: 'hang', message: expect.stringContaining('the command did not end within 2 s') },
    ])
  })

  test('ends at an interruption with its findings so far', async () => {
    const seen = join(directory, 'begun')
    const script = fileOf('slow.sh', `echo >> ${seen}\n${get} || exit 3\n`)
    const process = run('explore', '--json', '--', `sh ${script}; code=$?; sleep 0.3; exit $code`)
    while (!existsSync(seen) || readFileSync(seen, 'utf8').length < 5) await setTimeout(20)
    process.child.kill('SIGINT')
    expect(await process.ended).toBe(1)
    const { findings, runs, interrupted } = JSON.parse(process.out)
    expect(interrupted).toBe(true)
    expect(runs).toBeLessThan(6)
    expect(findings.length).toBeGreaterThanOrEqual(1)
    expect(findings.every(({ message }: any) => message.includes('exit code 3'))).toBe(true)
    expect(process.err).toContain('Interrupted')
  })
})

describe('explore ends with 2', () => {
  test.each([
    [
      'where the command fails undisturbed',
      ['--', 'echo first; echo broken >&2; exit 7'],
      /^first\nbroken\nerror: the undisturbed run failed: exit code 7: broken\n$/,
    ],
    [
      'where it prints the bytes of a character one after the other',
      ['--', "printf '\\303'; sleep 0.2; printf '\\244\\n'; exit 7"],
      /exit code 7: ä\n$/,
    ],
    [
      'where it makes no request',
      ['--', 'true'],
      /succeeded without a request to the address in WORKSPACE_API_URL/,
    ],
    [
      'where there is no such program',
      ['--', 'no-such-program', 'x'],
      /no-such-program cannot be run: .*ENOENT/,
    ],
    [
      'where the fixture does not exist',
      ['--fixture', 'none', '--', 'true'],
      /--fixture must be one of .*"none"/,
    ],
    [
      'where the fixture is invalid',
      ['--fixture', fileOf('no-fixture.json', {}), '--', 'true'],
      /no-fixture\.json: workspaces is required/,
    ],
    ['without a command', [], /missing required argument 'command'/],
    [
      'for a time limit that timers do not support',
      ['--timeout', '36000m', '--', 'true'],
      /--timeout.*at most 35000m/,
    ],
    [
      'for an unknown family',
      ['--families', 'errors,crsh', '--', 'true'],
      /--families.*must be all, or a list of errors, outage,.*received "crsh", the nearest is crash/,
    ],
  ] as const)('%s', async (_, flags, message) => {
    const { code, out, err } = await explored(...flags)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
  })
})
