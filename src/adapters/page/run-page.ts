// A run saved as a page: one HTML document with the console, the mock itself and everything the mock holds.
import { gzipSync } from 'node:zlib'
import { countText } from '../../contract/text/format.ts'
import { ControlError } from '../../mock/control-error.ts'
import { assertFields } from '../../mock/parse-or-throw.ts'
import { limitBodies, saveRun, type Run } from '../../mock/run.ts'
import type { WorkspaceMock } from '../../mock.ts'
import { escapeHtml, hashSource, readScript, toDocument } from './document.ts'

export interface RunPageOptions {
  /** The title of the page, such as the name of a test. Default `A run`. */
  readonly title?: string | undefined
  /** The one sandbox to save; null is the main state. Default: all. */
  readonly sandbox?: string | null | undefined
}

const mostBytes = 10_000_000

const contained =
  'The file contains what the workspace contains: the API keys of the fixture, request and response bodies, query strings, uploaded files'

const pack = (text: string) => gzipSync(text).toString('base64')

/** Replaces itself by the script that it unpacks. */
const loader = `const text = atob(document.getElementById('script').textContent.trim())
const bytes = new Uint8Array(text.length)
for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
const script = document.createElement('script')
script.type = 'module'
script.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
document.head.append(script)`

interface PackedScript {
  readonly packed: string
  readonly policy: string
}
let packedScript: PackedScript | undefined

/** The script is the same for every page of a process. */
function readPackedScript(): PackedScript {
  if (packedScript) return packedScript
  const script = readScript('run-console.js')
  if (script === undefined)
    throw new Error('dist/run-console.js is missing or cannot be read; in a checkout, run npm run build')
  // Nothing is loaded, sent or framed: the page is what it holds.
  const policy = `default-src 'none'; script-src ${hashSource(loader)} ${hashSource(script)}; img-src data:; base-uri 'none'; form-action 'none'`
  return (packedScript = { packed: pack(script), policy })
}

/** What a reader has to know of a run, a sentence each. */
function notesOf(title: string, run: Run, omitted: number): string[] {
  const faults = [...run.sharedFaults, ...run.sandboxes.flatMap(({ faults: { active } }) => active)]
  const unmatched = faults.filter(({ hasFunction }) => hasFunction).map(({ id }) => id)
  const snapshots = run.sandboxes.flatMap(({ replacedSnapshots }) => replacedSnapshots)
  return [
    `${title}: a saved run with a copy of its mock; what you change here is gone once the page is closed`,
    "The report is the run's: requests sent from here are not judged",
    ...(unmatched.length > 0
      ? [`A match that is a function cannot be saved: ${unmatched.join(', ')} meets no request here`]
      : []),
    ...(snapshots.length > 0
      ? [`Snapshots of a state that was replaced since are not in the page: ${snapshots.join(', ')}`]
      : []),
    ...(omitted > 0
      ? [`Beyond 10 MB the oldest bodies were left out: those of ${countText(omitted, 'request')}`]
      : []),
    contained,
  ]
}

/** The block of the page that holds the run; beyond the limit the oldest bodies are left out. */
function packRun(title: string, saved: Run): { readonly packed: string; readonly notes: readonly string[] } {
  let limited = { run: saved, characters: Infinity, omitted: 0 }
  for (;;) {
    const { run, omitted } = limited
    const notes = notesOf(title, run, omitted)
    const packed = pack(JSON.stringify({ title, notes, run }))
    if (packed.length <= mostBytes || limited.characters === 0) return { packed, notes }
    const { characters } = limitBodies(run, limited.characters)
    // Bodies compress differently: each attempt keeps less, the last one none.
    const share = (mostBytes / packed.length) * 0.9
    limited = limitBodies(saved, share < 0.05 ? 0 : Math.floor(characters * share))
  }
}

/** What the mock explains: of each sandbox that received requests, of the main state in any case. */
function explainAll(mock: WorkspaceMock, { sandboxes }: Run): string {
  const texts = sandboxes.map(({ name, counts }) => {
    if (name === null) return mock.explain()
    return counts.requests > 0 || sandboxes.length === 1
      ? `Sandbox ${name}:\n\n${mock.sandbox(name).explain()}`
      : ''
  })
  return texts.filter((text) => text !== '').join('\n\n')
}

/**
 * Saves what a mock holds now as one HTML page, which opens offline: the console on a copy of the mock, with its state,
 * journal, report, faults and coverage. It holds API keys, bodies and uploads; beyond 10 MB the oldest bodies are left out.
 * @throws {NotFoundError} if there is no such sandbox
 */
export function runPage(mock: WorkspaceMock, options: RunPageOptions = {}): string {
  assertFields('options', options, ['title', 'sandbox'] satisfies (keyof RunPageOptions)[])
  const { title = 'A run', sandbox } = options
  if (typeof title !== 'string')
    throw new ControlError(`options.title must be a text; received ${typeof title}`)
  const run = saveRun(mock, sandbox)
  const script = readPackedScript()
  const { packed, notes } = packRun(title, run)
  const summary = `${notes.map((note) => `${note}.`).join('\n')}\n\n${explainAll(mock, run)}`
  return toDocument(
    title,
    `<pre id="summary">${escapeHtml(summary)}</pre>
<script type="text/plain" id="run">${packed}</script>
<script type="text/plain" id="script">${script.packed}</script>
<script type="module">${loader}</script>`,
    `<meta http-equiv="content-security-policy" content="${script.policy}">\n`,
  )
}
