// Buttons that save and copy the requests of the sandboxes that are shown: one recording, one file of tests.
import type { Har } from '../../../../contract/data/har.ts'
import type { RequestRow } from '../../live-state.ts'
import { useConsole } from '../../parts/context.ts'
import { Button, CopyButton } from '../../parts/controls.tsx'
import { download } from '../../parts/files.tsx'
import { useScope } from '../../parts/scope.tsx'
import type { ConsoleSource } from '../../source.ts'

/** One recording with the entries of all, in the order of their times. */
function joinHars(hars: readonly Har[]): Har {
  const [first] = hars
  if (!first) throw new Error('There is no sandbox to save.')
  const entries = hars.flatMap(({ log }) => log.entries)
  const ordered = entries.toSorted((a, b) => a.startedDateTime.localeCompare(b.startedDateTime))
  return { ...first, log: { ...first.log, entries: ordered } }
}

/** Requests as one test file, a test for each sandbox: the lines before the first test are the same in all of them. */
async function copyTests(rows: readonly RequestRow[], { controls }: ConsoleSource): Promise<string> {
  if (rows.length === 0) throw new Error('There is no request to copy.')
  const files: string[] = []
  for (const [sandbox, own] of Map.groupBy(rows, (row) => row.sandbox)) {
    const ids = own.map(({ id }) => id).sort((a, b) => a - b)
    files.push(await controls(sandbox).copyAs('vitest', ids.join()))
  }
  const startOf = (file: string) => file.indexOf('\ntest(') + 1
  const head = files[0]?.slice(0, startOf(files[0])) ?? ''
  return head + files.map((file) => file.slice(startOf(file))).join('\n')
}

export function ExportButtons({ rows }: { rows: readonly RequestRow[] }) {
  const { source, act } = useConsole()
  const { each, names } = useScope()
  const saveHar = async () => download('workspace-api-mock.har', joinHars(await each((one) => one.har())))
  return (
    <>
      <CopyButton disabled={rows.length === 0} copied={() => copyTests(rows, source)} text="Copy as a test" />
      <Button kind="quiet" disabled={names.length === 0} onClick={() => act(saveHar)} text="Save as HAR" />
    </>
  )
}
