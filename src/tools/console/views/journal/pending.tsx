// A request that has no response yet: what was received of it, and which fault holds it.
import { useEffect } from 'preact/hooks'
import { formatDuration, formatOwnTime, formatQuantity } from '../../format.ts'
import { Block, Failure, Mark, Pairs, Pane } from '../../parts/blocks.tsx'
import { useConsole, useTick } from '../../parts/context.ts'
import { nameOfSandbox } from '../../parts/scope.tsx'

/** Becomes the pane of the request once it has its response. */
export function PendingPane({ arrival }: { arrival: number }) {
  const { live, sandbox, requests, go, openEntry } = useConsole()
  useTick(200)
  const answered = requests.find((row) => row.arrival === arrival)
  useEffect(() => {
    if (answered) go({ request: String(answered.id), arrival: undefined }, false)
  }, [answered])
  const row = live.pending.find(({ id, sandbox: of }) => id === arrival && of === sandbox)
  if (answered) return null
  const headers = Object.entries(row?.headers ?? {})
  const facts = row && {
    Sandbox: nameOfSandbox(sandbox),
    Arrived: `${formatOwnTime(row.arrivedMs)}, ${formatDuration(Math.max(0, Date.now() - row.arrivedMs))} ago`,
    Fault: row.fault,
    Delay: row.delayMs === undefined || row.delayMs === 0 ? undefined : formatDuration(row.delayMs),
  }
  const title = (
    <>
      <Mark tone="accent">…</Mark>
      <h3 dir="auto">
        <span class="faint">{row?.method}</span> {row?.path ?? 'Request without a response'}
      </h3>
    </>
  )
  return (
    <Pane label="Request without a response" title={title} close={() => openEntry(null)} shown={arrival}>
      {facts ? (
        <>
          <p class="soft">No response yet.</p>
          <Pairs entries={Object.entries(facts)} />
          <Block title={formatQuantity(headers.length, 'header')}>
            <Pairs entries={headers} />
          </Block>
        </>
      ) : (
        <Failure message="It got no response: its client hung up, or the mock was reset or restarted meanwhile." />
      )}
    </Pane>
  )
}
