// The header of the console: which mock this is, its clock, and actions on all of it.
import { useEffect, useState } from 'preact/hooks'
import { dateText, momentText, timeText } from '../format.ts'
import { useConsole, useLoaded, useNow } from './context.ts'
import { Action, Button, ClockSteps, CopyButton } from './controls.tsx'
import { useScope } from './scope.tsx'

const signs = { auto: '◐', light: '○', dark: '●' } as const
type Scheme = keyof typeof signs
const schemes = Object.keys(signs) as Scheme[]
const storageName = 'workspace-api-mock console scheme'

function storedScheme(): Scheme {
  try {
    return schemes.find((scheme) => scheme === localStorage.getItem(storageName)) ?? 'auto'
  } catch {
    return 'auto'
  }
}

function SchemeButton({ host }: { host: HTMLElement }) {
  const [scheme, setScheme] = useState(storedScheme)
  useEffect(() => {
    if (scheme === 'auto') delete host.dataset.theme
    else host.dataset.theme = scheme
    try {
      localStorage.setItem(storageName, scheme)
    } catch {
      // Without storage, the choice lasts until the page is reloaded.
    }
  }, [scheme])
  const next = schemes[(schemes.indexOf(scheme) + 1) % schemes.length] ?? 'auto'
  return (
    <Button kind="quiet" label={`Colours: ${scheme}. Switch to ${next}`} onClick={() => setScheme(next)}>
      <span aria-hidden="true">{signs[scheme]}</span>
      <span class="scheme-name">{scheme}</span>
    </Button>
  )
}

const steps = { '1s': '+1 s', '1m': '+1 min', '1d': '+1 d' }

function ClockReadout() {
  const { live, show } = useConsole()
  const nowMs = useNow()
  if (live.readAtMs === 0) return null
  const { mode } = live.overview.clock
  return (
    <div class="readout">
      <Button class="now" label={`Clock: ${momentText(nowMs)} UTC, ${mode}`} onClick={() => show('time')}>
        <span class={`pulse ${mode}`} aria-hidden="true" />
        <span class="faint date">{dateText(nowMs)}</span> <span>{timeText(nowMs)}</span>
      </Button>
      <ClockSteps kind="quiet" steps={steps} />
    </div>
  )
}

export function Header({ host }: { host: HTMLElement }) {
  const { source, live } = useConsole()
  const { isAll, text } = useScope()
  const { value: health } = useLoaded(() => source.controls(null).health(), [live.status])
  return (
    <header class="top">
      <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
        <rect x="2.75" y="2.75" width="18.5" height="18.5" rx="5" />
        <circle cx="12" cy="12" r="4" fill="currentColor" />
      </svg>
      <h1>
        <span class="mock">Mock console</span> <span class="fixture">{health?.fixture ?? ''}</span>
      </h1>
      <CopyButton copied={() => source.baseUrl} label={`Copy ${source.baseUrl}`}>
        <code class="address">{source.baseUrl}</code>
      </CopyButton>
      <span class="spacer" />
      <fieldset class="contents" disabled={live.status === 'lost'}>
        {!isAll && <ClockReadout />}
        <Action
          {...{ canUndo: true, done: 'Reset to the fixture.' }}
          confirm={isAll ? 'Reset' : `Reset ${text || 'everything'}?`}
          run={(controls) => controls.reset()}
          text="Reset"
        />
      </fieldset>
      <SchemeButton host={host} />
    </header>
  )
}
