// Command `pull`: reads a live workspace into a fixture file; resumable after an interruption.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import type { AnswersInput } from '../contract/questions/register.ts'
import { shellWord } from '../contract/text/shell.ts'
import { PullStopped, pull, type KeptReads, type Pulled, type PullOptions } from '../verify/index.ts'
import { deploymentOf, type DeploymentFlags } from './deployment.ts'
import { assertWritable, readAnswersFile, writeFile } from './files.ts'
import { interruption, progressOf, statusLine } from './progress.ts'

export interface PullFlags extends DeploymentFlags, Pick<PullOptions, 'anonymize' | 'files' | 'rows'> {
  readonly out?: string
}

/** The name of a file next to another: `company.json` and `partial` give `company.partial.json`. */
const siblingOf = (file: string, what: string) => `${file.replace(/\.json$/i, '')}.${what}.json`

/**
 * The responses of a pull, kept in a file with a line of JSON for each; the first line names the deployment.
 * @throws {Error} if the file belongs to another deployment, or cannot be written
 */
function keptIn(file: string, baseUrl: string): KeptReads & { readonly count: number } {
  const reads = new Map<string, unknown>()
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  for (const line of text.split('\n'))
    try {
      const [request, body] = JSON.parse(line) as [string, unknown]
      reads.set(request, body)
    } catch {
      // The first line is empty, and the last one can be cut off.
    }
  const set = (request: string, body: unknown) => {
    reads.set(request, body)
    appendFileSync(file, `\n${JSON.stringify([request, body])}`)
  }
  const from = reads.get('')
  if (from === undefined && text.trim() === '') {
    // Readable by its owner only, since its content is not anonymized.
    writeFile(file, '', { mode: 0o600 })
    set('', baseUrl)
  } else if (from !== baseUrl)
    throw new Error(
      `${file} holds ${from === undefined ? 'no responses of a pull' : 'responses of another deployment'}; remove it to pull from ${baseUrl}`,
    )
  return { count: reads.size - 1, get: (request) => reads.get(request), set }
}

const print = (text: string) => void process.stderr.write(`${text}\n`)

function countsOf({ fixture }: Pulled): string {
  const { tables = [], spaces = [], forms = [] } = fixture.workspaces[0] ?? {}
  const lists = spaces.flatMap((space) => space.lists ?? [])
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const counts = [
    [sum(tables.map(({ rows = [] }) => rows.length)), 'rows'],
    [tables.length, 'tables'],
    [sum(lists.map(({ tasks = [] }) => tasks.length)), 'tasks'],
    [lists.length, 'lists'],
    [forms.length, 'forms'],
  ]
  return counts.map(([count, what]) => `${String(count)} ${String(what)}`).join(', ')
}

/** Writes the fixture, and prints what it lacks and how to serve it. */
function write(pulled: Pulled, out: string | undefined, given: AnswersInput): void {
  const text = `${JSON.stringify(pulled.fixture)}\n`
  if (out === undefined) process.stdout.write(text)
  else writeFile(out, text)
  const file = out ?? 'FILE'
  const needsAnswers = JSON.stringify(pulled.answers) !== JSON.stringify(given)
  const answersFile = siblingOf(file, 'answers')
  if (needsAnswers && out !== undefined)
    writeFile(answersFile, `${JSON.stringify(pulled.answers, null, 2)}\n`)
  print(`Pulled ${countsOf(pulled)} with ${String(pulled.requests)} requests.`)
  print('\nNot in the fixture, or assumed:')
  for (const sentence of pulled.unseen) print(`- ${sentence}`)
  if (needsAnswers && out === undefined)
    print(`- Answers that the fixture needs: ${JSON.stringify(pulled.answers)}`)
  const serve = [
    'workspace-api-mock',
    'serve',
    '--fixture',
    file,
    ...(needsAnswers ? ['--answers', answersFile] : []),
  ]
  print(`\nTo serve it, with the key wm_pulled_master:\n  ${serve.map(shellWord).join(' ')}`)
}

export async function pullCommand(flags: PullFlags): Promise<void> {
  const { out, anonymize, files, rows } = flags
  const deployment = deploymentOf(flags)
  const { baseUrl } = deployment
  const answers = readAnswersFile(flags.answers)
  if (out !== undefined) assertWritable(out)
  const partial = siblingOf(out ?? '', 'partial')
  const kept = out === undefined ? undefined : keptIn(partial, baseUrl)
  if (kept && kept.count > 0)
    print(
      `${String(kept.count)} responses of an earlier pull are kept in ${partial}; they are not requested again.`,
    )
  const signal = interruption('Interrupted. Press Ctrl-C again to end at once.')
  const onProgress = progressOf('pull')
  try {
    const pulled = await pull({ ...deployment, answers, anonymize, files, rows, kept, onProgress, signal })
    statusLine.end()
    write(pulled, out, answers)
    if (kept) rmSync(partial, { force: true })
  } catch (error) {
    if (!(error instanceof PullStopped && kept)) throw error
    const advice = `What was read is kept in ${partial}; run the same command to resume.`
    throw new Error(`${error.message}. ${advice}`, { cause: error })
  } finally {
    statusLine.end()
  }
}
