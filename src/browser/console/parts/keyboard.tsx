// The keyboard shortcuts of the console, and the list of them.
import { useEffect, useRef } from 'preact/hooks'
import { Pairs } from './blocks.tsx'
import { Button } from './controls.tsx'

const keys = {
  '/': 'Search',
  'j or ↓': 'Next request',
  'k or ↑': 'Previous request',
  Enter: 'Go to the open request',
  Escape: 'Close the request',
  '?': 'Show these shortcuts',
}

/** Handles a shortcut, wherever the focus is; `host` has the shadow tree of the console. */
export function handleShortcut(
  event: KeyboardEvent,
  host: HTMLElement,
  help: (isOpen: boolean) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  const target = event.composedPath()[0]
  if (target instanceof HTMLElement && target.matches('input, select, textarea, [role=tab]')) return
  const list = host.shadowRoot?.querySelector<HTMLElement>('[role=listbox]')
  if (event.key === '?') help(true)
  else if (event.key === '/') host.shadowRoot?.querySelector<HTMLElement>('input[type=search]')?.focus()
  else if ((event.key === 'j' || event.key === 'k' || event.key === 'Escape') && list && target !== list) {
    list.focus()
    list.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, cancelable: true }))
  } else return
  event.preventDefault()
}

export function Help({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog class="help sheet" ref={dialog} aria-label="Keyboard shortcuts" onClose={close}>
      <Pairs entries={Object.entries(keys)} />
      <Button onClick={() => dialog.current?.close()} text="Close" />
    </dialog>
  )
}
