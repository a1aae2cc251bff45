// The choice of the sandbox that is shown: all of them, the main one, or one by name; each can be reset and deleted.
import { useRef, useState } from 'preact/hooks'
import { countText } from '../format.ts'
import { useConsole } from './context.ts'
import { Button, ConfirmButton, typed } from './controls.tsx'

/** How many are listed; the search finds the others. */
const shownSandboxes = 50

export const sandboxText = (name: string | null) => name ?? 'main'

interface Entry {
  /** Null is the main sandbox. */
  readonly name: string | null
  readonly label: string | null
  readonly requests: number
  readonly errors: number
}

function Choice({ entry, choose }: { readonly entry: Entry; readonly choose: () => void }) {
  const { source, act, place, live } = useConsole()
  const { name, label, requests, errors } = entry
  return (
    <li>
      <button type="button" class="pick" aria-pressed={place.sandbox === (name ?? '')} onClick={choose}>
        <span class="name">{sandboxText(name)}</span>
        {label !== null && <span class="aside">{label}</span>}
        <span class="aside">
          {countText(requests, 'request')}
          {errors > 0 && <span class="late">, {countText(errors, 'error')}</span>}
        </span>
      </button>
      <fieldset class="whole" disabled={live.status === 'lost'}>
        <Button
          kind="quiet"
          label={`Reset ${sandboxText(name)}`}
          onClick={() => void act(() => source.controls(name).reset(), `Reset ${sandboxText(name)}.`)}
        >
          Reset
        </Button>
        {name !== null && (
          <ConfirmButton
            kind="quiet"
            confirm="Delete it?"
            label={`Delete ${name}`}
            onClick={() => void act(() => source.controls(null).deleteSandbox(name), `Deleted ${name}.`)}
          >
            Delete
          </ConfirmButton>
        )}
      </fieldset>
    </li>
  )
}

export function SandboxMenu() {
  const { live, place, go } = useConsole()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const button = useRef<HTMLButtonElement>(null)
  if (live.sandboxes.length === 0 && place.sandbox === undefined) return null
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const choose = (sandbox: string | undefined) => {
    go({ sandbox })
    close()
  }
  const main = live.lines.filter(({ sandbox }) => sandbox === null)
  const entries: Entry[] = [
    {
      name: null,
      label: null,
      requests: main.length,
      errors: main.filter(({ status }) => status === 0 || status >= 400).length,
    },
    ...live.sandboxes,
  ]
  const matching = entries.filter(({ name, label }) =>
    `${sandboxText(name)} ${label ?? ''}`.toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <div class="menu" onKeyDown={(event) => event.key === 'Escape' && isOpen && close()}>
      <button
        type="button"
        class="button plain"
        ref={button}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {place.sandbox === undefined ? 'All sandboxes' : `Sandbox ${sandboxText(place.sandbox || null)}`} ▾
      </button>
      {isOpen && (
        <div class="sheet popover" role="group" aria-label="Sandboxes">
          <input
            type="search"
            placeholder="Name or label …"
            aria-label="Find a sandbox"
            ref={(input) => input?.focus()}
            value={text}
            onInput={(event) => setText(typed(event))}
          />
          <ul>
            <li>
              <button
                type="button"
                class="pick"
                aria-pressed={place.sandbox === undefined}
                onClick={() => choose(undefined)}
              >
                <span class="name">All sandboxes</span>
                <span class="aside">{countText(live.lines.length, 'request')}</span>
              </button>
            </li>
            {matching.slice(0, shownSandboxes).map((entry) => (
              <Choice key={entry.name} entry={entry} choose={() => choose(entry.name ?? '')} />
            ))}
          </ul>
          {matching.length > shownSandboxes && (
            <p class="hint">{matching.length - shownSandboxes} more: search by name or label.</p>
          )}
        </div>
      )}
    </div>
  )
}
