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
  /** Saves only this sandbox; null is the main one. Default: all. */
  readonly sandbox?: string | null | undefined
}

const mostBytes = 10_000_000

const contained =
  'The file contains what the workspace contains: the API keys of the fixture, request and response bodies, query strings, uploaded files'

const pack = (text: string) => gzipSync(text).toString('base64')

/** Unpacks the page's main script and runs it. */
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

/** Packs the script once, because every page has the same one. */
function readPackedScript(): PackedScript {
  if (packedScript) return packedScript
  const script = readScript('run-console.js')
  if (script === undefined)
    throw new Error('dist/run-console.js is missing or cannot be read; in a checkout, run npm run build')
  // Nothing is loaded, sent or framed: the page is self-contained.
  const policy = `default-src 'none'; script-src ${hashSource(loader)} ${hashSource(script)}; img-src data:; base-uri 'none'; form-action 'none'`
  return (packedScript = { packed: pack(script), policy })
}

/** Notes for the reader of a run, one sentence each. */
function listNotes(title: string, run: Run, omitted: number): string[] {
  const faults = [...run.sharedFaults, ...run.sandboxes.flatMap(({ faults: { active } }) => active)]
  const unmatched = faults.filter(({ hasFunction }) => hasFunction).map(({ id }) => id)
  const snapshots = run.sandboxes.flatMap(({ replacedSnapshots }) => replacedSnapshots)
  return [
    `${title}: a saved run with a copy of its mock; what you change here is lost when the page is closed`,
    'The report covers the saved run; requests sent from this page are not judged',
    ...(unmatched.length > 0
      ? [
          `A match that is a function cannot be saved, so these faults match no request here: ${unmatched.join(', ')}`,
        ]
      : []),
    ...(snapshots.length > 0
      ? [`Snapshots of a state that has since been replaced are not in the page: ${snapshots.join(', ')}`]
      : []),
    ...(omitted > 0
      ? [
          `The page is limited to 10 MB, so the oldest bodies were left out: those of ${countText(omitted, 'request')}`,
        ]
      : []),
    contained,
  ]
}

/** Packs a run for its page. Beyond the size limit, the oldest bodies are left out. */
function packRun(title: string, saved: Run): { readonly packed: string; readonly notes: readonly string[] } {
  let limited = { run: saved, characters: Infinity, omitted: 0 }
  for (;;) {
    const { run, omitted } = limited
    const notes = listNotes(title, run, omitted)
    const packed = pack(JSON.stringify({ title, notes, run }))
    if (packed.length <= mostBytes || limited.characters === 0) return { packed, notes }
    const { characters } = limitBodies(run, limited.characters)
    // How well bodies compress varies: each attempt keeps fewer, down to none.
    const share = (mostBytes / packed.length) * 0.9
    limited = limitBodies(saved, share < 0.05 ? 0 : Math.floor(characters * share))
  }
}

/** Explanations of the main sandbox and of every other sandbox that received requests. */
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
 * Saves a mock as one HTML page that opens offline: the console on a copy of the mock, with its state, journal, report,
 * faults and coverage. It contains API keys, bodies and uploads. Beyond 10 MB, the oldest bodies are left out.
 * @throws {NotFoundError} if there is no such sandbox
 */
export function runPage(mock: WorkspaceMock, options: RunPageOptions = {}): string {
  assertFields('options', options, ['title', 'sandbox'] satisfies (keyof RunPageOptions)[])
  const { title = 'A run', sandbox } = options
  if (typeof title !== 'string')
    throw new ControlError(`options.title must be a string; received ${typeof title}`)
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
