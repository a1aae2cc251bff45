// A button with a menu below it, which closes on Escape, on a click elsewhere and when it loses the focus.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'

interface MenuProps {
  readonly title: string
  /** The accessible name of what the menu contains. */
  readonly label: string
  readonly children: (close: () => void) => ComponentChildren
}

export function Menu({ title, label, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return undefined
    const press = (event: Event) => {
      if (menu.current && !event.composedPath().includes(menu.current)) setOpen(false)
    }
    addEventListener('pointerdown', press)
    return () => removeEventListener('pointerdown', press)
  }, [isOpen])
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <div
      class="menu"
      ref={menu}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        close()
      }}
    >
      <Button ref={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {title}
      </Button>
      {isOpen && (
        <div class="sheet popover" role="group" aria-label={label}>
          {children(close)}
        </div>
      )}
    </div>
  )
}
