// Runs a command for fault exploration: each run has its own sandbox on one server, named by the path of the address.
import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import type { ApiResponse, Call } from '../core/call.ts'
import type { Sandbox } from '../core/sandbox.ts'
import type { ExploreHost } from '../explore/host.ts'
import type { Ended, LateRequest, Runner, RunRecord } from '../explore/runner.ts'
import type { ExploredFault, ExploreOutcome } from '../explore/types.ts'
import type { WorkspaceMock } from '../mock.ts'
import { serve, type RunningServer } from '../server/serve.ts'
import { printable } from './terminal.ts'

export interface CommandRunnerOptions {
  /** A program with its arguments; a single text is run as a line of the shell. */
  readonly command: readonly string[]
  /** Maximum number of commands that run at the same time. */
  readonly jobs: number
  readonly timeoutMs: number
}

/** A run of the command. */
interface CommandRun {
  readonly sandbox: Sandbox
  inFlight: number
  isOver: boolean
}

/** A command failed; `output` is the end of what it printed. */
export class CommandError extends Error {
  readonly output: string

  constructor(message: string, output: string) {
    super(message)
    this.name = 'CommandError'
    this.output = output
  }
}

const keptCharacters = 20_000
const shownCharacters = 200
/** Longest wait for the last requests of a command that has ended. */
const drainMs = 1000

const lastLine = (text: string) => printable(text.trimEnd().split('\n').at(-1)?.trim() ?? '', shownCharacters)

/** Kills a process and its children. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    // A negative id names the group, which outlives its first process.
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // They have all ended.
  }
}

export class CommandRunner implements Runner {
  readonly parallel: number
  readonly late: readonly LateRequest[]
  isStopped = false
  readonly #host: ExploreHost<WorkspaceMock>
  readonly #options: CommandRunnerOptions
  readonly #runs = new Map<string, CommandRun>()
  readonly #children = new Set<ChildProcess>()
  #server: RunningServer | undefined

  constructor(host: ExploreHost<WorkspaceMock>, options: CommandRunnerOptions) {
    this.#host = host
    this.late = this.#host.late
    this.#options = options
    this.parallel = options.jobs
  }

  /** Starts the server. @throws {Error} if no port is available */
  async start(): Promise<void> {
    const { mock } = this.#host
    const front: PropertyDescriptorMap = {
      handle: { value: (call: Call) => this.#handle(call) },
      sandbox: {
        value: (name: string) => {
          const run = this.#runs.get(name)
          return run ? this.#host.controlsOf(run.sandbox) : mock.sandbox(name)
        },
      },
    }
    this.#server = await serve(Object.create(mock, front) as WorkspaceMock)
  }

  /** Kills the running commands; their runs do not count. */
  stop(): void {
    this.isStopped = true
    for (const child of this.#children) kill(child)
  }

  async close(): Promise<void> {
    this.stop()
    await this.#server?.close()
  }

  async run(faults: readonly ExploredFault[]): Promise<RunRecord> {
    // The clock runs in real time, as the command does, so that no time has to be added for the rules about waits.
    const sandbox = this.#host.newSandbox(faults, () => 0, 'system')
    const run: CommandRun = { sandbox, inFlight: 0, isOver: false }
    // Its name counts as a generated id: the comparison ignores it in texts such as the address of a file.
    sandbox.store.counters.nextId('run', () => false)
    const name = `run_${String(this.#runs.size + 1).padStart(6, '0')}`
    this.#runs.set(name, run)
    const ended = await this.#ended(name)
    const endMs = performance.now() + drainMs
    while (run.inFlight > 0 && performance.now() < endMs) await setTimeout(1)
    run.isOver = true
    sandbox.store.clock.setMode('manual')
    const record = this.#host.recordOf(sandbox, ended)
    if (this.isStopped) return { ...record, isMet: false }
    if (faults.length > 0 || ended.outcome !== 'resolved' || record.requests().length > 0) return record
    const silent = 'the command succeeded without a request to the address in WORKSPACE_API_URL'
    return { ...record, outcome: 'rejected', error: new CommandError(silent, '') }
  }

  #ended(name: string): Promise<Ended> {
    const { command, timeoutMs } = this.#options
    const [program = '', ...args] = command
    return new Promise((resolve) => {
      if (this.isStopped) {
        resolve({ outcome: 'rejected', error: new CommandError('interrupted', '') })
        return
      }
      const child = spawn(program, args, {
        shell: command.length === 1,
        detached: process.platform !== 'win32',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          WORKSPACE_API_URL: `${this.#server?.url ?? ''}/sandboxes/${name}/v1`,
          WORKSPACE_API_KEY: this.#host.key,
        },
      })
      this.#children.add(child)
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output = (output + text).slice(-keptCharacters)
        })
      let isTooLong = false
      const timer = globalThis.setTimeout(() => {
        isTooLong = true
        kill(child)
      }, timeoutMs)
      const end = (outcome: ExploreOutcome, message = '') => {
        clearTimeout(timer)
        this.#children.delete(child)
        resolve({ outcome, error: message === '' ? undefined : new CommandError(message, output) })
      }
      child.on('error', (error) => end('rejected', `${program} cannot be run: ${error.message}`))
      // Processes that it leaves behind would keep its output open, and could send more requests.
      child.on('exit', () => kill(child))
      child.on('close', (code, signal) => {
        if (isTooLong) end('hang', `the command did not end within ${String(timeoutMs / 1000)} s`)
        else if (code === 0) end('resolved')
        else if (this.isStopped) end('rejected', 'interrupted')
        else {
          const how = signal ?? `exit code ${String(code)}`
          const last = lastLine(output)
          end('rejected', last === '' ? how : `${how}: ${last}`)
        }
      })
    })
  }

  async #handle(call: Call): Promise<ApiResponse> {
    const run = this.#runs.get(call.header('x-mock-sandbox') ?? '')
    if (!run) return this.#host.mock.handle(call)
    if (run.isOver) return this.#host.tooLate(call)
    run.inFlight += 1
    try {
      return await run.sandbox.handle(call)
    } finally {
      run.inFlight -= 1
    }
  }
}
