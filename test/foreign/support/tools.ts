// Installs the third-party tools and runs their commands.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '../../../src/openapi.ts'

export const folder = fileURLToPath(new URL('../tools/', import.meta.url))

export interface Outcome {
  readonly code: number
  readonly stdout: string
  /** Both streams, for messages. */
  readonly output: string
}

/** Runs a command in the tools' folder; the tools' binaries take precedence over ours. */
export function run(command: string, ...given: string[]): Promise<Outcome> {
  const env = {
    ...process.env,
    PATH: `${folder}node_modules/.bin:${process.env.PATH ?? ''}`,
    NODE_OPTIONS: '',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
  }
  return new Promise((resolve) => {
    execFile(command, given, { cwd: folder, env, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, stdout, output: stdout + stderr })
    })
  })
}

/** Installs the tools if their manifest changed since the last time; the first installation takes about a minute. */
export async function setup(): Promise<void> {
  const installed = `${folder}node_modules/.package-lock.json`
  if (existsSync(installed) && statSync(installed).mtimeMs > statSync(`${folder}package.json`).mtimeMs) return
  const { code, output } = await run('npm', 'install', '--no-package-lock', '--loglevel=error')
  if (code !== 0) throw new Error(`npm install in ${folder} failed:\n${output}`)
}

/** Writes the document for a served mock to where the tools find it. */
export function writeDocument(baseUrl: string, change = (text: string) => text): string {
  mkdirSync(`${folder}dist`, { recursive: true })
  const path = `${folder}dist/openapi.json`
  writeFileSync(path, change(JSON.stringify(openApiDocument({ baseUrl }))))
  return path
}
