// How `serve` interacts with other processes: npm and npx being killed, a parent that ends, a browser, waiting commands.
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { cli, directory, fileOf, printed, run, type Run } from './support/command-line.ts'

const isUp = (url: string) =>
  fetch(`${url}/__mock/health`).then(
    () => true,
    () => false,
  )

/** Another program's process, with what it prints. */
function start(command: string, args: readonly string[], cwd = root, env = {}): Run {
  const child: ChildProcess = spawn(command, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const started: Run = { child, out: '', err: '', ended }
  child.stdout?.on('data', (chunk: Buffer) => (started.out += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (started.err += chunk.toString()))
  return started
}

const serverIds: number[] = []
afterEach(() => {
  for (const id of serverIds.splice(0)) {
    try {
      process.kill(id, 'SIGKILL')
    } catch {
      // The process has already ended, as it should.
    }
  }
})

const listening = async (process: Run) => (await printed(process, 'out', /"url":"([^"]+)"/))[1] ?? ''

const root = join(dirname(cli), '../..')
const node = `"${process.execPath}" "${cli}"`

describe('a server that npm started', () => {
  const project = join(directory, 'npm')
  mkdirSync(project, { recursive: true })
  const scripts = {
    start: `${node} serve --port 0 --json --quiet`,
    background: `${node} serve --port 0 --json --quiet & wait`,
  }
  fileOf('npm/package.json', { name: 'started', private: true, scripts })

  it.each([
    ['SIGTERM', 'start'],
    ['SIGKILL', 'start'],
    ['SIGTERM', 'background'],
  ] as const)('ends when npm is ended with %s (npm run %s)', async (signal, script) => {
    const npm = start('npm', ['run', '--silent', script], project)
    const url = await listening(npm)
    expect(await isUp(url)).toBe(true)
    npm.child.kill(signal)
    await expect.poll(() => isUp(url), { timeout: 120_000 }).toBe(false)
  })
})

describe('a server that another process started', () => {
  const shell = (flags: string) =>
    start('sh', ['-c', `${node} serve --port 0 --json --quiet ${flags} < /dev/null & echo "id $!"; wait`])

  const idOf = async (process: Run) => {
    const [, id = ''] = await printed(process, 'out', /id (\d+)/)
    serverIds.push(Number(id))
  }

  it('keeps serving when that process ends', async () => {
    const parent = shell('')
    await idOf(parent)
    const url = await listening(parent)
    parent.child.kill('SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await isUp(url)).toBe(true)
  })

  it('ends with that process under --exit-with-parent', async () => {
    const parent = shell('--exit-with-parent')
    await idOf(parent)
    const url = await listening(parent)
    expect(await isUp(url)).toBe(true)
    parent.child.kill('SIGKILL')
    await expect.poll(() => isUp(url), { timeout: 120_000 }).toBe(false)
  })
})

describe('serve --control-token', () => {
  it('prints a console link with the token, and requires it', async () => {
    const process = run('serve', '--port', '0', '--quiet', '--control-token', 'secret')
    const [, link = ''] = await printed(process, 'out', /Console\s+(\S+)\n[^]*Try:/)
    expect(link).toMatch(/\/__mock\/#token=secret$/)
    const health = link.replace(/#.*/, 'health')
    expect((await fetch(health)).status).toBe(403)
    expect((await fetch(health, { headers: { 'x-mock-token': 'secret' } })).status).toBe(200)
  })

  it('is generated, and printed in JSON, where the host is not loopback', async () => {
    const process = run('serve', '--port', '0', '--host', '0.0.0.0', '--json', '--quiet')
    const [, token = ''] = await printed(process, 'out', /"controlToken":"([^"]+)"/)
    const health = `${await listening(process)}/__mock/health`
    expect((await fetch(health)).status).toBe(403)
    expect((await fetch(health, { headers: { 'x-mock-token': token } })).status).toBe(200)
  })
})

describe('WORKSPACE_MOCK_TOKEN', () => {
  const tokenOf = async (token: string, ...flags: string[]) => {
    const args = [cli, 'serve', '--port', '0', '--fixture', 'empty', '--json', '--quiet', ...flags]
    const serving = start(process.execPath, args, root, { WORKSPACE_MOCK_TOKEN: token })
    await listening(serving)
    const { controlToken } = JSON.parse(serving.out)
    serving.child.kill('SIGTERM')
    await serving.ended
    return controlToken
  }

  it('is the token, unless --control-token names another or it is empty', async () => {
    expect(await tokenOf('secret')).toBe('secret')
    expect(await tokenOf('secret', '--control-token', 'other')).toBe('other')
    expect(await tokenOf('')).toBeUndefined()
  })

  it('is rejected by name, and not printed, where no header can carry it', async () => {
    const args = [cli, 'serve', '--port', '0']
    const serving = start(process.execPath, args, root, { WORKSPACE_MOCK_TOKEN: 'two words' })
    expect(await serving.ended).toBe(1)
    expect(serving.err).toContain('WORKSPACE_MOCK_TOKEN')
    expect(serving.err).not.toContain('two words')
  })
})

describe('serve --open', () => {
  it('keeps serving, with the address on stderr, where there is no browser', async () => {
    const args = [cli, 'serve', '--port', '0', '--fixture', 'empty', '--json', '--open']
    const serving = start(process.execPath, args, root, { BROWSER: '/no/browser' })
    const url = await listening(serving)
    await printed(serving, 'err', /warning: no browser was found \(\/no\/browser\); open http/)
    expect(await isUp(url)).toBe(true)
    serving.child.kill('SIGTERM')
    expect(await serving.ended).toBe(0)
  })

  it('opens the console in the browser', async () => {
    const browser = fileOf('browser.sh', `#!/bin/sh\necho "$1" > "${join(directory, 'opened')}"\n`)
    chmodSync(browser, 0o755)
    const process = start(
      'sh',
      [
        '-c',
        `BROWSER="${browser}" ${node} serve --port 0 --json --quiet --open --exit-with-parent --control-token t`,
      ],
      root,
    )
    const url = await listening(process)
    const opened = () => start('cat', [join(directory, 'opened')])
    await expect
      .poll(async () => {
        const reading = opened()
        await reading.ended
        return reading.out.trim()
      })
      .toBe(`${url}/__mock/#token=t`)
    process.child.kill('SIGTERM')
    await process.ended
  })
})

describe('wait', () => {
  /** Runs `wait` against a server with this listener, with a time limit. */
  const waitedFor = async (listener: RequestListener, timeout: string) => {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const waiting = run('wait', '--url', `127.0.0.1:${String(port)}/any/path?x`, '--timeout', timeout)
    const code = await waiting.ended
    server.closeAllConnections()
    server.close()
    return code
  }

  it('ends with 1 where only a proxy responds, or no one', async () => {
    expect(await waitedFor((_request, response) => response.writeHead(502).end(), '500ms')).toBe(1)
    expect(await waitedFor(() => undefined, '0.5s')).toBe(1)
  })

  it('ends with 0 at a redirect, which it does not follow', async () => {
    const away = { location: 'http://127.0.0.1:1/' }
    expect(await waitedFor((_request, response) => response.writeHead(302, away).end(), '30s')).toBe(0)
  })

  it('ends with 0 where a server responds only to the second request', async () => {
    const asked: string[] = []
    const code = await waitedFor(({ url = '' }, response) => {
      asked.push(url)
      if (asked.length > 1) response.end()
    }, '1m')
    expect(code).toBe(0)
    expect(asked).toEqual(['/__mock/health', '/__mock/health'])
  })

  it('ends with 0 once a server responds, whatever the response', async () => {
    const server = createServer((_request, response) => response.writeHead(404).end())
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        resolve()
      })
    })
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const waiting = run('wait', '--url', `http://127.0.0.1:${String(port)}/v1`, '--timeout', '30s')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(waiting.child.exitCode).toBeNull()
    server.listen(port, '127.0.0.1')
    expect(await waiting.ended).toBe(0)
    server.close()
  })

  it('ends with 1 where no server responds in time, with 2 for an invalid address or time', async () => {
    const runs = [
      run('wait', '--url', '127.0.0.1:1', '--timeout', '300ms'),
      run('wait', '--url', 'ftp://127.0.0.1'),
      run('wait', '--timeout', 'soon'),
    ]
    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual([1, 2, 2])
    expect(runs[0]?.err).toContain('http://127.0.0.1:1')
  })
})
