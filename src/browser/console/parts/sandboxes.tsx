// The menu of sandboxes: all, the main one, or one by name; each can be reset and deleted.
import type { RenderableProps } from 'preact'
import { useState } from 'preact/hooks'
import type { SandboxSummary } from '../../../controls/mock-controls.ts'
import { countText } from '../format.ts'
import { isError, type LiveState } from '../live.ts'
import { ConsoleContext, useConsole } from './context.ts'
import { Action, Pick } from './controls.tsx'
import { focusOnce, Input } from './fields.tsx'
import { Menu } from './menu.tsx'

/** The number of sandboxes that are listed; the search finds the others. */
const shownSandboxes = 50

export const sandboxText = (name: string | null) => name ?? 'main'

/** Its children use another sandbox than the one that is shown. */
export function InSandbox({ sandbox, children }: RenderableProps<{ readonly sandbox: string | null }>) {
  const shared = useConsole()
  const inside = { ...shared, sandbox, controls: shared.source.controls(sandbox) }
  return <ConsoleContext.Provider value={inside}>{children}</ConsoleContext.Provider>
}

/** A sandbox; null is the name of the main one. */
type Entry = Pick<SandboxSummary, 'label' | 'requests' | 'errors'> & { readonly name: string | null }

function SandboxItem({ entry, choose }: { readonly entry: Entry; readonly choose: () => void }) {
  const { source, viewState, live } = useConsole()
  const { name, label, requests, errors } = entry
  return (
    <li>
      <Pick name={sandboxText(name)} isCurrent={viewState.sandbox === (name ?? '')} onClick={choose}>
        {label !== null && <span class="aside">{label}</span>}
        <span class="aside">
          {countText(requests, 'request')}
          {errors > 0 && <span class="error-text">, {countText(errors, 'error')}</span>}
        </span>
      </Pick>
      <fieldset class="contents" disabled={live.status === 'lost'}>
        <Action
          kind="quiet"
          target={sandboxText(name)}
          run={() => source.controls(name).reset()}
          done={`Reset ${sandboxText(name)}.`}
        >
          Reset
        </Action>
        {name !== null && (
          <Action
            kind="quiet"
            confirm="Delete it?"
            target={name}
            run={() => source.controls(null).deleteSandbox(name)}
            done={`Deleted ${name}.`}
          >
            Delete
          </Action>
        )}
      </fieldset>
    </li>
  )
}

/** The main sandbox and the others. */
function entriesOf({ lines, sandboxes }: LiveState): readonly Entry[] {
  const main = lines.filter(({ sandbox }) => sandbox === null)
  return [
    { name: null, label: null, requests: main.length, errors: main.filter(isError).length },
    ...sandboxes,
  ]
}

function SandboxList({ close }: { readonly close: () => void }) {
  const { live, viewState, go } = useConsole()
  const [text, setText] = useState('')
  const matching = entriesOf(live).filter(({ name, label }) =>
    `${sandboxText(name)} ${label ?? ''}`.toLowerCase().includes(text.toLowerCase()),
  )
  const choose = (sandbox: string | undefined) => () => {
    go({ sandbox })
    close()
  }
  return (
    <>
      <Input
        type="search"
        placeholder="Name or label …"
        label="Find a sandbox"
        ref={focusOnce}
        value={text}
        set={setText}
      />
      <ul>
        <li>
          <Pick name="All sandboxes" isCurrent={viewState.sandbox === undefined} onClick={choose(undefined)}>
            <span class="aside">{countText(live.lines.length, 'request')}</span>
          </Pick>
        </li>
        {matching.slice(0, shownSandboxes).map((entry) => (
          <SandboxItem key={entry.name} entry={entry} choose={choose(entry.name ?? '')} />
        ))}
      </ul>
      {matching.length > shownSandboxes && (
        <p class="aside">{matching.length - shownSandboxes} more: search by name or label.</p>
      )}
    </>
  )
}

export function SandboxMenu() {
  const { live, viewState } = useConsole()
  const { sandbox } = viewState
  if (live.sandboxes.length === 0 && sandbox === undefined) return null
  const current = sandbox === undefined ? 'All sandboxes' : `Sandbox ${sandboxText(sandbox || null)}`
  return (
    <Menu title={`${current} ▾`} label="Sandboxes">
      {(close) => <SandboxList close={close} />}
    </Menu>
  )
}
