// A button with a menu below it, which closes when it loses the focus.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

interface MenuProps {
  readonly title: string
  readonly children: (close: () => void) => ComponentChildren
}

export function Menu({ title, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (menu.current) menu.current.open = false
  }
  return (
    <details
      class="menu"
      ref={menu}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) close()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
        menu.current?.querySelector('summary')?.focus()
      }}
    >
      <summary class="button">{title}</summary>
      <div class="popover sheet">{children(close)}</div>
    </details>
  )
}
