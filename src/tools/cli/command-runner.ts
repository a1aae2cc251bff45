// Runs a command for explorations. All processes share a server; the path of the address selects each one's sandbox.
import { spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { handlerOf, internalsOf, withInternals } from '../../mock/internals.ts'
import type { MockControls } from '../../mock/controls/mock-controls.ts'
import type { ApiResponse, Call } from '../../mock/requests/call.ts'
import type { PlannedFault } from '../../mock/faults/fault-spec.ts'
import type { Exploration } from '../../mock/explorable.ts'
import { leavesOf } from '../explore/ends/leaves.ts'
import { LateFault, Life, recordOf } from '../explore/life.ts'
import type { Ended, LateRequest, Runner, RunRecord } from '../explore/runner.ts'
import type { WorkspaceMock } from '../../mock.ts'
import { serve, type RunningServer } from '../../node.ts'
import type { Store } from '../../service/store/store.ts'
import { toShortLine } from './terminal.ts'
import { readWrittenFiles } from './written-files.ts'

interface CommandRunnerOptions {
  /** A single item is a shell command line. */
  readonly command: readonly string[]
  readonly jobs: number
  readonly timeoutMs: number
  /** A folder; each run works in a fresh copy of it. */
  readonly copy?: string | undefined
}

/** `output` is the last part of what the command printed. */
export class CommandError extends Error {
  readonly output: string

  constructor(message: string, output: string) {
    super(message)
    this.name = 'CommandError'
    this.output = output
  }
}

const keptCharacters = 20_000
/** Maximum wait for the last requests of a command that has ended. */
const drainMs = 1000
/** Maximum wait for the rest of its output: a process left behind can keep the pipe open. */
const outputMs = 250

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    // A negative id stands for the process group, which outlives its first process.
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {}
}

interface RunPlace {
  /** The sandbox's name, part of the API's address. */
  readonly name: string
  readonly folder?: string
}

export class CommandRunner implements Runner {
  readonly parallel: number
  readonly isRealTime = true
  isStopped = false
  readonly host: Exploration<WorkspaceMock>
  readonly late: LateRequest[] = []
  readonly #options: CommandRunnerOptions
  readonly #lives = new Map<string, Life>()
  readonly #children = new Set<ChildProcess>()
  readonly #folders = new Set<string>()
  #runs = 0
  #server: RunningServer | undefined

  constructor(host: Exploration<WorkspaceMock>, options: CommandRunnerOptions) {
    this.host = host
    this.#options = options
    this.parallel = options.jobs
  }

  async listen(): Promise<void> {
    const { mock } = this.host
    const served: WorkspaceMock = {
      ...mock,
      get answers() {
        return mock.answers
      },
      sandbox: (name) => {
        const life = this.#lives.get(name)
        return life ? (this.host.controlsOf(life.sandbox) as MockControls) : mock.sandbox(name)
      },
    }
    const handler = { handle: (call: Call) => this.#handle(call) }
    this.#server = await serve(withInternals(served, { ...internalsOf(mock), handler }))
  }

  stop(): void {
    this.isStopped = true
    for (const child of this.#children) kill(child)
  }

  async close(): Promise<void> {
    this.stop()
    for (const folder of this.#folders) this.#remove(folder)
    await this.#server?.close()
  }

  run(fault: PlannedFault | null, from?: Store): Promise<RunRecord> {
    const { copy } = this.#options
    const name = `run_${String((this.#runs += 1)).padStart(6, '0')}`
    if (copy === undefined) return this.#runLife(fault, from, { name })
    const folder = mkdtempSync(join(tmpdir(), 'explore-'))
    this.#folders.add(folder)
    cpSync(copy, folder, { recursive: true })
    return this.#runLife(fault, from, { name, folder })
  }

  #remove(folder: string): void {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    this.#folders.delete(folder)
  }

  async #runLife(fault: PlannedFault | null, from: Store | undefined, place: RunPlace): Promise<RunRecord> {
    // The clock runs in real time, as the command does, so rules about waits need no extra time.
    const sandbox = this.host.newSandbox({ fault, from, realMs: () => 0, mode: 'system' })
    const life = new Life(sandbox, fault)
    // Registers the sandbox's name as a generated id, so that comparisons ignore it in texts such as file addresses.
    sandbox.store.counters.nextId('run', () => false)
    this.#lives.set(place.name, life)
    const ended = await this.#runCommand(place, life, fault?.delayMs ?? 0)
    const endMs = performance.now() + drainMs
    while (life.inFlight > 0 && performance.now() < endMs) await setTimeout(1)
    life.isOver = true
    sandbox.store.clock.setMode('manual')
    const record = {
      ...recordOf(
        life,
        () => this.host.controlsOf(sandbox).requests(),
        ended,
        place.folder === undefined
          ? new Map()
          : leavesOf(readWrittenFiles(place.folder, this.#options.copy ?? '')),
        () => this.#runLife(null, sandbox.store, place),
      ),
      release: () => place.folder !== undefined && this.#remove(place.folder),
    }
    if (this.isStopped) return { ...record, hits: 0 }
    // A client that runs again may find nothing left to do, and send no requests.
    const isFirst = fault === null && from === undefined
    if (!isFirst || ended.outcome !== 'resolved' || record.journal().length > 0) return record
    const silent = 'the command succeeded without a request to the address in WORKSPACE_API_URL'
    return { ...record, outcome: 'rejected', error: new CommandError(silent, '') }
  }

  #spawn({ name, folder: cwd }: RunPlace) {
    const { command } = this.#options
    const [program = '', ...args] = command
    const child = spawn(program, args, {
      cwd,
      shell: command.length === 1,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        WORKSPACE_API_URL: `${this.#server?.url ?? ''}/sandboxes/${name}/v1`,
        WORKSPACE_API_KEY: this.host.key,
      },
    })
    this.#children.add(child)
    return child
  }

  #runCommand(place: RunPlace, life: Life, delayMs: number): Promise<Ended> {
    if (this.isStopped)
      return Promise.resolve({ outcome: 'rejected', error: new CommandError('interrupted', '') })
    const timeoutMs = this.#options.timeoutMs + delayMs
    const child = this.#spawn(place)
    void life.stopped.then(() => kill(child))
    const output = { stdout: '', stderr: '' }
    let all = ''
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream]?.setEncoding('utf8').on('data', (text: string) => {
        output[stream] = (output[stream] + text).slice(-keptCharacters)
        all = (all + text).slice(-keptCharacters)
      })
    return new Promise((resolve) => {
      let isTooLong = false
      const timer = globalThis.setTimeout(() => {
        isTooLong = true
        kill(child)
      }, timeoutMs)
      const end = (outcome: Ended['outcome'], message = '') => {
        clearTimeout(timer)
        this.#children.delete(child)
        child.stdout?.destroy()
        child.stderr?.destroy()
        // Removes the folder's path, which differs between runs.
        const clean = (text: string) =>
          place.folder === undefined ? text : text.replaceAll(place.folder, '')
        const value = { stdout: clean(output.stdout), stderr: clean(output.stderr) }
        resolve({ outcome, error: message === '' ? undefined : new CommandError(message, all), value })
      }
      const endBy = (code: number | null, signal: string | null) => {
        if (life.isStopped) end('stopped', 'the command was stopped')
        else if (isTooLong) end('hang', `the command did not end within ${String(timeoutMs / 1000)} s`)
        else if (code === 0) end('resolved')
        else if (this.isStopped) end('rejected', 'interrupted')
        else {
          const how = signal ?? `exit code ${String(code)}`
          const last = toShortLine(all.trimEnd().split('\n').at(-1)?.trim() ?? '', 200)
          end('rejected', last === '' ? how : `${how}: ${last}`)
        }
      }
      child.on('error', (error) => end('rejected', `${child.spawnfile} cannot be run: ${error.message}`))
      child.on('exit', (code, signal) => {
        // Kills processes left behind, which could send more requests.
        kill(child)
        globalThis.setTimeout(() => endBy(code, signal), outputMs)
      })
      child.on('close', endBy)
    })
  }

  async #handle(call: Call): Promise<ApiResponse> {
    const life = this.#lives.get(call.header('x-mock-sandbox') ?? '')
    if (!life) return handlerOf(this.host.mock).handle(call)
    if (!life.isOver) return life.respond(call)
    const fault = new LateFault(call)
    this.late.push(fault.request)
    throw fault
  }
}
