// The page of a saved run: the console on a copy of the mock that the page itself holds.
import { fromBase64 } from '../../contract/data/base64.ts'
import { resumeRun, type Run } from '../../mock/run.ts'
import { noticesOf } from '../../mock/notices.ts'
import { address } from './address.ts'
import { mount } from './app.tsx'
import { createPageSource } from './page-source.ts'

/** What `runPage` puts into the page. */
export interface SavedRun {
  readonly title: string
  /** What the reader has to know, one sentence each. */
  readonly notes: readonly string[]
  readonly run: Run
}

/** Reads JSON from an element of the page, which holds it gzipped and in base64. */
async function unpack(id: string): Promise<unknown> {
  const text = document.getElementById(id)?.textContent ?? ''
  const stream = new Blob([fromBase64(text.trim())]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).json()
}

const { title, notes, run } = (await unpack('run')) as SavedRun
const mock = resumeRun(run)
// For the browser's developer tools.
Object.assign(globalThis, { mock })
noticesOf(mock).set('run', notes.join('. '))
document.getElementById('summary')?.remove()
const [only] = run.sandboxes.length === 1 ? run.sandboxes : []
mount(
  document.body,
  // Nothing else sends requests to the copy, so the console's requests act as the client's and meet its faults.
  { ...createPageSource(mock), sendAsClient: (request) => mock.fetch(request) },
  {
    ...address,
    read: () => ({ ...(only && only.name !== null && { sandbox: only.name }), ...address.read() }),
    title: (text) => address.title(text.replace('Mock console', title)),
  },
)
