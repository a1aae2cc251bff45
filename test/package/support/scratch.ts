// Projects outside this one that install the packed package like a user.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Outcome {
  readonly code: number
  /** The output on both streams. */
  readonly output: string
}

/** Environment variables of a surrounding runner must not reach the project's own runner. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|npm_|NODE_ENV|TEST$|JEST|NODE_OPTIONS)/.test(name),
  )
  return { ...Object.fromEntries(kept), NO_COLOR: '1', FORCE_COLOR: '0', CI: '1' }
}

export class Scratch {
  readonly folder: string

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'workspace-api-mock-scratch-'))
    this.write('package.json', JSON.stringify({ name: 'scratch', private: true, type: 'module' }))
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), text)
  }

  /** Copies a folder's contents here. */
  copy(from: string, to = '.'): void {
    cpSync(from, join(this.folder, to), { recursive: true })
  }

  async install(...packages: string[]): Promise<void> {
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
    const { code, output } = await this.run('npm', 'install', '--save-dev', ...flags, ...packages)
    if (code !== 0) throw new Error(`npm install ${packages.join(' ')} failed:\n${output}`)
  }

  run(command: string, ...given: string[]): Promise<Outcome> {
    return this.runWith({}, command, ...given)
  }

  runWith(
    environment: Readonly<Record<string, string>>,
    command: string,
    ...given: string[]
  ): Promise<Outcome> {
    const options = {
      cwd: this.folder,
      env: { ...ownEnvironment(), ...environment },
      maxBuffer: 2 ** 26,
      timeout: 600_000,
    }
    return new Promise((resolve) => {
      execFile(command, given, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
        resolve({ code, output: stdout + stderr })
      })
    })
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
