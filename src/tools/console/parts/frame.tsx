// What surrounds the views: the header, lines below it, messages about actions, and the keyboard shortcuts.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { messageOf } from '../../../contract/text/format.ts'
import { formatDate, formatMoment, formatTime } from '../format.ts'
import { Failure, Pairs } from './blocks.tsx'
import { type Frame, ShownError, type Undo, useConsole, useLoaded, useNow } from './context.ts'
import { AccessError } from '../source.ts'
import { ClockSteps } from './clock-moves.tsx'
import { Action, Button, CopyButton } from './controls.tsx'
import { focusOnce, Form, Input } from './fields.tsx'

function ClockReadout() {
  const { live, show } = useConsole()
  const nowMs = useNow()
  if (live.readAtMs === 0) return null
  const { mode } = live.overview.clock
  return (
    <div class="readout">
      <Button class="now" label={`Clock: ${formatMoment(nowMs)} UTC, ${mode}`} onClick={() => show('time')}>
        <span class={`pulse ${mode}`} aria-hidden="true" />
        <span class="faint date">{formatDate(nowMs)}</span> <span>{formatTime(nowMs)}</span>
      </Button>
      <ClockSteps kind="quiet" steps={{ '1s': '+1 s', '1m': '+1 min', '1d': '+1 d' }} />
    </div>
  )
}

export function Header() {
  const { source, live, isAll, place } = useConsole()
  const { notices } = source
  const { restarts } = live
  const [all, setAll] = useState(notices?.all ?? [])
  const [seen, setSeen] = useState(0)
  useEffect(() => notices?.watch(() => setAll(notices.all)), [notices])
  const { value: health } = useLoaded(() => source.controls(null).health(), [live.status])
  return (
    <>
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
        <fieldset class="contents" disabled={live.status === 'lost' || live.status === 'forbidden'}>
          {!isAll && <ClockReadout />}
          <Action
            {...{
              text: 'Reset',
              canUndo: true,
              done: 'Reset to the fixture.',
              lost: 'journal, report and faults',
            }}
            confirm={isAll ? 'Reset' : `Reset ${place || 'everything'}?`}
            run={(controls) => controls.reset()}
          />
        </fieldset>
      </header>
      {all.map((text) => (
        <p class="notice warn" role="status" key={text}>
          {text.charAt(0).toUpperCase() + text.slice(1)}.
        </p>
      ))}
      {restarts > seen && (
        <p class="notice warn" role="status">
          The mock restarted. <Button class="link" onClick={() => setSeen(restarts)} text="Dismiss" />
        </p>
      )}
      {live.status === 'lost' && (
        <p class="notice bad" role="alert">
          The mock does not respond: {live.failure}. Retrying every second.
        </p>
      )}
    </>
  )
}

const wrongToken = 'This token is wrong: the mock expects another X-Mock-Token.'

/** Replaces all views while the mock refuses access. */
export function Forbidden({ tag: Tag }: { tag: 'main' | 'div' }) {
  const { source, live } = useConsole()
  const [token, set] = useState('')
  const { failure } = live
  const { token: access } = source
  const field = { field: 'Control token', type: 'password', autocomplete: 'off' } as const
  const [isWrong] = useState(() => access?.isSent() === true)
  const connect = async () => {
    access?.set(token.trim())
    await source
      .controls(null)
      .health()
      .catch((error: unknown) => {
        throw error instanceof AccessError ? new Error(wrongToken) : error
      })
  }
  return (
    <Tag class="main">
      <section class="sheet padded token" aria-label="Token">
        <h2>{access ? 'This mock needs its control token' : 'This mock refuses access'}</h2>
        {access ? (
          <>
            <p>
              <code>serve</code> printed it with the address of the console, or was given it as{' '}
              <code>--control-token</code>.
            </p>
            <Form class="inline" run={connect}>
              <Input {...field} ref={focusOnce} value={token} set={set} />
              <Button kind="primary" disabled={token.trim() === ''} text="Connect" />
            </Form>
            {isWrong && <Failure message={wrongToken} />}
          </>
        ) : (
          <Failure message={failure} />
        )}
      </section>
    </Tag>
  )
}

type Toast = Readonly<{ text: ComponentChildren; isProblem: boolean; undo?: Undo | undefined }>

const toastMs = 4000
/** Long enough to notice what was lost. */
const undoMs = 15_000

export function useActions(refresh: () => Promise<void>) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const latest = useRef<Undo | null>(null)
  /** The element that had the focus before Undo. */
  const origin = useRef<HTMLElement | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const close = (toast: Toast) => {
    toast.undo?.forget?.()
    setToasts((before) => before.filter((one) => one !== toast))
  }
  const closeSoon = (toast: Toast) =>
    setTimeout(
      () => {
        // Do not close a message that the user is about to click.
        const isUsed =
          toast.undo === latest.current && list.current?.querySelector('.undoable:is(:hover, :focus-within)')
        if (toast.undo && isUsed) closeSoon(toast)
        else close(toast)
      },
      toast.undo ? undoMs : toastMs,
    )
  const showToast = (toast: Toast) => {
    // Only the latest action can be undone.
    if (toast.undo) {
      latest.current?.forget?.()
      latest.current = toast.undo
    }
    const keep = ({ undo }: Toast) => !undo || !toast.undo
    setToasts((before) => [...before.filter(keep).slice(-2), toast])
    if (!toast.isProblem) closeSoon(toast)
  }
  const perform: Frame['perform'] = async (action, done, undo) => {
    try {
      await action()
      const text = typeof done === 'function' ? done() : done
      if (text !== undefined) showToast({ text, isProblem: false, undo: undo?.() })
      return true
    } catch (error) {
      undo?.()?.forget?.()
      if (!(error instanceof ShownError)) showToast({ text: messageOf(error), isProblem: true })
      return false
    } finally {
      await refresh()
    }
  }
  const takeBack = async (toast: Toast, { run, done }: Undo) => {
    const { current: edited } = origin
    const root = list.current?.getRootNode() as ShadowRoot
    const undone = perform(run, done)
    close(toast)
    await undone
    // If the edited element is gone, focus its list.
    const place =
      edited?.isConnected === true
        ? edited
        : root.querySelector<HTMLElement>('main [tabindex="0"], .main [tabindex="0"]')
    place?.focus({ preventScroll: true })
  }
  const shown = (
    <div class="toasts" role="status" ref={list}>
      {toasts.map((toast) => {
        const { text, isProblem, undo } = toast
        // A click on a message with Undo, such as on a link in it, does not close it.
        const closeIt = undo ? undefined : () => close(toast)
        const note = ({ relatedTarget }: FocusEvent) => {
          if (relatedTarget instanceof HTMLElement) origin.current = relatedTarget
        }
        return (
          <p key={toast} class={isProblem ? 'problem' : undo ? 'undoable' : ''} onClick={closeIt}>
            {text}
            {undo && (
              <Button class="link undo" onFocus={note} onClick={() => takeBack(toast, undo)} text="Undo" />
            )}
            {isProblem && <Button class="link" onClick={() => close(toast)} text="Dismiss" />}
          </p>
        )
      })}
    </div>
  )
  return { perform, shown }
}

const keys = {
  '/': 'Search',
  'j or ↓': 'Next request',
  'k or ↑': 'Previous request',
  Enter: 'Go to the open request',
  Escape: 'Close the request',
  u: 'Go to Undo',
  '?': 'Show these shortcuts',
}

/** @param target receives the keys @param host holds the console's shadow tree */
export function useShortcuts(target: EventTarget, host: HTMLElement) {
  const [isHelping, setHelping] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const press = (event: Event) => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const pressed = event.composedPath()[0]
    if (pressed instanceof HTMLElement && pressed.matches('input, select, textarea, [role=tab]')) return
    const find = (selector: string) => host.shadowRoot?.querySelector<HTMLElement>(selector)
    const list = find('[role=listbox]')
    if (dialog.current?.open) {
      if (event.key !== 'Escape') return
      dialog.current.close()
    } else if (event.key === '?') setHelping(true)
    else if (event.key === 'u' && find('.undo')) find('.undo')?.focus()
    else if (event.key === '/') find('input[type=search]')?.focus()
    else if (['j', 'k', 'Escape'].includes(event.key) && list && pressed !== list) {
      list.focus({ preventScroll: true })
      list.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, cancelable: true }))
    } else return
    event.preventDefault()
  }
  useEffect(() => {
    target.addEventListener('keydown', press)
    return () => target.removeEventListener('keydown', press)
  }, [host])
  useEffect(() => dialog.current?.showModal(), [isHelping])
  return (
    isHelping && (
      <dialog
        class="help sheet"
        ref={dialog}
        aria-label="Keyboard shortcuts"
        onClose={() => setHelping(false)}
      >
        <Pairs entries={Object.entries(keys)} />
        <Button onClick={() => dialog.current?.close()} text="Close" />
      </dialog>
    )
  )
}
