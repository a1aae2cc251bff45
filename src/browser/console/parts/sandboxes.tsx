// The menu of sandboxes: all, the main one, or one by name; each can be reset and deleted.
import type { RenderableProps } from 'preact'
import { useState } from 'preact/hooks'
import type { SandboxSummary } from '../../../controls/mock-controls.ts'
import { countText } from '../format.ts'
import { isError } from '../live.ts'
import { ConsoleContext, useConsole } from './context.ts'
import { Action, Button } from './controls.tsx'
import { Input } from './fields.tsx'
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
type Entry = Omit<SandboxSummary, 'name'> & { readonly name: string | null }

function SandboxItem({ entry, choose }: { readonly entry: Entry; readonly choose: () => void }) {
  const { source, viewState, live } = useConsole()
  const { name, label, requests, errors } = entry
  return (
    <li>
      <Button class="pick" aria-pressed={viewState.sandbox === (name ?? '')} onClick={choose}>
        <span class="name">{sandboxText(name)}</span>
        {label !== null && <span class="aside">{label}</span>}
        <span class="aside">
          {countText(requests, 'request')}
          {errors > 0 && <span class="error-text">, {countText(errors, 'error')}</span>}
        </span>
      </Button>
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

export function SandboxMenu() {
  const { live, viewState, go } = useConsole()
  const [text, setText] = useState('')
  if (live.sandboxes.length === 0 && viewState.sandbox === undefined) return null
  const main = live.lines.filter(({ sandbox }) => sandbox === null)
  const entries: Entry[] = [
    { name: null, label: null, requests: main.length, errors: main.filter(isError).length },
    ...live.sandboxes,
  ]
  const matching = entries.filter(({ name, label }) =>
    `${sandboxText(name)} ${label ?? ''}`.toLowerCase().includes(text.toLowerCase()),
  )
  const current =
    viewState.sandbox === undefined ? 'All sandboxes' : `Sandbox ${sandboxText(viewState.sandbox || null)}`
  return (
    <Menu title={`${current} ▾`} label="Sandboxes">
      {(close) => {
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
              ref={(input) => input?.focus()}
              value={text}
              set={setText}
            />
            <ul>
              <li>
                <Button
                  class="pick"
                  aria-pressed={viewState.sandbox === undefined}
                  onClick={choose(undefined)}
                >
                  <span class="name">All sandboxes</span>
                  <span class="aside">{countText(live.lines.length, 'request')}</span>
                </Button>
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
      }}
    </Menu>
  )
}
