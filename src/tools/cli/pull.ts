// Command `pull`: reads a live workspace or a recording into a fixture file; resumable after an interruption.
import { countText } from '../../contract/text/format.ts'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { toBase64 } from '../../contract/data/base64.ts'
import type { AnswersInput } from '../../contract/questions/register.ts'
import { isObject, readField } from '../../contract/data/objects.ts'
import { toShellWord } from '../../contract/text/curl.ts'
import { PullStopped, pull, type KeptReads, type Pulled, type PullOptions } from '../../verify.ts'
import { deploymentOf, type DeploymentFlags } from './deployment.ts'
import { assertWritable, prefixErrors, writeFile } from '../../adapters/server/write-file.ts'
import { readAnswersFile, readBytes, readJsonFile } from './files.ts'
import { createMockWith } from './fixture.ts'
import { exitCodes, listenForInterruption, progressOf, statusLine } from './progress.ts'
import { print, printError, toShortLine } from './terminal.ts'

export interface PullFlags
  extends DeploymentFlags, Pick<PullOptions, 'anonymize' | 'files' | 'followRedirects' | 'rows'> {
  readonly out?: string
  readonly har?: string
}

/** The name of a file next to another: `company.json` and `partial` give `company.partial.json`. */
const siblingOf = (file: string, what: string) => `${file.replace(/\.json$/i, '')}.${what}.json`

/** Keeps responses in a file, one per line, after the deployment's address. @throws {Error} if the address differs */
function openKeptReads(file: string, baseUrl: string): KeptReads & { readonly count: number } {
  const reads = new Map<string, unknown>()
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  for (const line of text.split('\n'))
    try {
      const [request, body] = JSON.parse(line) as [string, unknown]
      reads.set(request, body)
    } catch {
      // The first line is empty, and the last one may be cut off.
    }
  const set = (request: string, body: unknown) => {
    reads.set(request, body)
    prefixErrors(`${file} cannot be written`, () =>
      appendFileSync(file, `\n${JSON.stringify([request, body])}`),
    )
  }
  const from = reads.get('')
  if (from === undefined && text.trim() === '') {
    // Readable only by the owner, since responses are not anonymized.
    prefixErrors(`${file} cannot be written`, () => writeFileSync(file, '', { mode: 0o600 }))
    set('', baseUrl)
  } else if (from !== baseUrl)
    throw new Error(
      `${file} holds ${from === undefined ? 'no responses from a pull' : 'responses from another deployment'}; remove it to pull from ${baseUrl}`,
    )
  return { count: reads.size - 1, get: (request) => reads.get(request), set }
}

const report = (text: string) => printError(`${text}\n`)

function countsOf({ fixture }: Pulled): string {
  const { tables = [], spaces = [], forms = [] } = fixture.workspaces[0] ?? {}
  const rows = tables.flatMap((table) => table.rows ?? [])
  const lists = spaces.flatMap((space) => space.lists ?? [])
  const tasks = lists.flatMap((list) => list.tasks ?? [])
  const counts = Object.entries({ rows, tables, tasks, lists, forms })
  return counts.map(([what, records]) => `${String(records.length)} ${what}`).join(', ')
}

/** Writes or prints the fixture; reports what it lacks and how to serve it. @returns the exit code */
function reportPull(pulled: Pulled, { out, har }: PullFlags, given: AnswersInput): number {
  const { fixture, answers, missing, unseen, requests } = pulled
  // Keeps an earlier fixture if a whole response is missing. A recording can simply be read again.
  const isWhole = har !== undefined || !missing.some(({ kind }) => kind === 'response')
  const file = isWhole || out === undefined ? (out ?? 'FILE') : siblingOf(out, 'incomplete')
  const needsFile = JSON.stringify(answers) !== JSON.stringify(given)
  const answersFile = needsFile ? siblingOf(file, 'answers') : undefined
  if (out === undefined) print(`${JSON.stringify(fixture)}\n`)
  else {
    // Replaces the files only after a mock has loaded the new ones.
    writeFile(file, `${JSON.stringify(fixture)}\n`, (written) => createMockWith(written, { answers }))
    if (answersFile !== undefined)
      writeFile(answersFile, `${JSON.stringify(answers, null, 2)}\n`, readAnswersFile)
  }
  report(`Pulled ${countsOf(pulled)} with ${countText(requests, 'request')}.`)
  report('\nNot in the fixture, or assumed:')
  for (const sentence of unseen) report(`- ${toShortLine(sentence, 2000)}`)
  if (out === undefined && Object.keys(answers).length > 0)
    report(`- Answers that the fixture needs: ${JSON.stringify(answers)}`)
  if (missing.length > 0) report(`\nThe fixture is incomplete: ${file} lacks what could not be read.`)
  const options = answersFile === undefined ? [] : ['--answers', answersFile]
  const serve = ['workspace-api-mock', 'serve', '--fixture', file, ...options]
  report(`\nTo serve it, with the key wm_pulled_master:\n  ${serve.map(toShellWord).join(' ')}`)
  if (out !== undefined && file !== out && existsSync(out)) report(`${out} was not changed.`)
  return missing.length > 0 ? exitCodes.found : exitCodes.clean
}

/** Loads a body from a file next to the recording, where Playwright puts it. */
function attachBody(content: Record<string, unknown>, folder: string): void {
  const { _file: name, text } = content
  if (typeof name !== 'string' || typeof text === 'string') return
  const file = join(folder, name)
  const isInside = !isAbsolute(name) && !relative(folder, file).startsWith('..')
  if (!isInside || !existsSync(file)) return
  content.text = toBase64(readBytes(file, 'body of a response'))
  content.encoding = 'base64'
}

function readRecordingFile(file: string): unknown {
  const zipMark = [0x50, 0x4b, 3, 4]
  const bytes = readBytes(file, 'recording')
  if (zipMark.every((byte, index) => bytes[index] === byte))
    throw new Error(`${file} is a ZIP archive: unpack it, and pass the .har file in it`)
  const recording = readJsonFile(file, 'recording')
  const entries = readField(readField(recording, 'log'), 'entries')
  for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
    const content = readField(readField(entry, 'response'), 'content')
    if (isObject(content)) attachBody(content, dirname(file))
  }
  return recording
}

function sourceOf({ har, ...flags }: PullFlags) {
  if (har === undefined) return deploymentOf(flags)
  const { baseUrl, apiKey } = flags
  const recording = readRecordingFile(har)
  if (!isObject(recording) || !isObject(recording.log) || !Array.isArray(recording.log.entries))
    throw new Error(`${har} is not a recording in HAR format: {"log": {"entries": […]}}`)
  return { har: recording, baseUrl, apiKey }
}

export async function pullCommand(flags: PullFlags): Promise<void> {
  const { out, anonymize, files, followRedirects, rows } = flags
  const source = sourceOf(flags)
  const answers = readAnswersFile(flags.answers)
  if (out !== undefined) assertWritable(out)
  const partial = siblingOf(out ?? '', 'partial')
  const isKept = out !== undefined && flags.har === undefined
  const kept = isKept ? openKeptReads(partial, source.baseUrl ?? '') : undefined
  if (kept && kept.count > 0)
    report(`Reusing ${countText(kept.count, 'response')} of an earlier pull, kept in ${partial}.`)
  const signal = listenForInterruption('Interrupted. Press Ctrl-C again to quit at once.')
  const onProgress = progressOf('pull')
  const options = { answers, anonymize, files, followRedirects, rows, kept, onProgress, signal }
  try {
    const pulled = await pull({ ...source, ...options })
    statusLine.end()
    process.exitCode = reportPull(pulled, flags, answers)
    if (kept) rmSync(partial, { force: true })
  } catch (error) {
    if (!(error instanceof PullStopped && kept)) throw error
    const advice = `What was read is kept in ${partial}; run the same command to resume.`
    throw new Error(`${error.message}. ${advice}`, { cause: error })
  } finally {
    statusLine.end()
  }
}
