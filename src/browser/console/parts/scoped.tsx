// The line above a view that says what it shows and acts on, and the question which sandbox where a view is of one.
import type { RenderableProps } from 'preact'
import { useState } from 'preact/hooks'
import { countText } from '../format.ts'
import { useConsole, type ViewId, viewNames } from './context.ts'
import { Button, Picks } from './controls.tsx'
import { Input } from './fields.tsx'
import { findRuns, sandboxText, useScope } from './scope.tsx'

const shownRuns = 60

function SandboxChoice({ title }: { title: string }) {
  const { live, go } = useConsole()
  const [text, setText] = useState('')
  const found = findRuns(live.runs, text).map((run) => ({
    ...run,
    id: run.name ?? '',
    name: sandboxText(run.name),
  }))
  return (
    <div class="sheet padded choice">
      <h3>{title} is of one sandbox. Which one?</h3>
      <Input type="search" label="Find a sandbox" placeholder="Name or label …" value={text} set={setText} />
      <Picks
        label="Sandboxes"
        items={found.slice(0, shownRuns)}
        onChange={(sandbox) => go({ sandbox })}
        details={({ label, requests }) => (
          <span class="aside">{[label, countText(requests, 'request')].filter(Boolean).join(', ')}</span>
        )}
      />
      {found.length > shownRuns && <p class="aside">{found.length - shownRuns} more: search for them.</p>}
    </div>
  )
}

/** `isOfOne`: whether the view shows a single sandbox. */
export function Scoped({ view, isOfOne, children }: RenderableProps<{ view: ViewId; isOfOne: boolean }>) {
  const { live, scope, go, show } = useConsole()
  const { isAll, text } = useScope()
  // The runs are all sandboxes, whichever is shown.
  if (text === '' || view === 'runs') return <>{children}</>
  const label = live.runs.find(({ name }) => name === scope)?.label
  const isAsking = isAll && isOfOne
  return (
    <>
      <p class="scope">
        <span>
          Shows <b>{text}</b>
          {label != null && <span class="aside"> {label}</span>}
          {!isAsking && `; buttons act on ${isAll ? 'each of them' : 'it alone'}.`}
        </span>
        {!isAll && <Button class="link" onClick={() => go({ sandbox: undefined })} text="Show all" />}
        <Button class="link" onClick={() => show('runs')} text="Choose a sandbox" />
      </p>
      {isAsking ? <SandboxChoice title={viewNames[view]} /> : children}
    </>
  )
}
