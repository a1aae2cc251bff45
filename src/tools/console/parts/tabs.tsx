// Tabs: the current one is in the tab order; arrow keys, Home and End select the others.
import type { ComponentChildren, RenderableProps, VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Tone } from './blocks.tsx'
import { noQuery, useConsole } from './context.ts'
import { Button } from './controls.tsx'

interface Tab {
  readonly id: string
  readonly label: string
  readonly count?: number | undefined
  readonly tone?: Tone | undefined
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly current: string
  readonly onChange: (id: string) => void
  /** The address that opens a tab in a second window; absent if the address does not say what is shown. */
  readonly addressOf?: ((id: string) => string) | undefined
  readonly class: 'nav' | 'row'
}

const arrows: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }
const ends: Readonly<Record<string, number>> = { Home: 0, End: -1 }

export function Tabs({ label, tabs, current, onChange, addressOf, class: layout }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (tab) list.current?.scrollTo({ left: tab.offsetLeft - tab.offsetWidth })
    // Tabs become wider when their counts are loaded.
  }, [current, tabs.map(({ count }) => count).join()])
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const step = arrows[event.key]
    const from = tabs.findIndex(({ id }) => id === current)
    const index = ends[event.key] ?? (step && (from + step) % tabs.length)
    const next = index === undefined ? undefined : tabs.at(index)
    if (!next) return
    event.preventDefault()
    onChange(next.id)
    event.currentTarget.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus()
  }
  return (
    <div ref={list} class={`tabs ${layout}`} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, label: text, count, tone }) => {
        const attributes = {
          ...{ class: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}` },
          ...{ 'aria-selected': id === current, tabIndex: id === current ? 0 : -1 },
        }
        const content = (
          <>
            <span class="label" data-text={text}>
              {text}
            </span>
            {count !== undefined && count > 0 && <span class={`count ${tone ?? ''}`}>{count}</span>}
          </>
        )
        if (!addressOf)
          return (
            <Button key={id} role="tab" {...attributes} onClick={() => onChange(id)}>
              {content}
            </Button>
          )
        const choose = (event: MouseEvent) => {
          // The browser opens a second tab or window.
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          onChange(id)
        }
        return (
          <a key={id} role="tab" {...attributes} href={addressOf(id)} onClick={choose}>
            {content}
          </a>
        )
      })}
    </div>
  )
}

export function Panel({ id, children }: RenderableProps<{ readonly id: string }>) {
  return (
    <div class="panel" role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`}>
      {children}
    </div>
  )
}

interface PartsProps {
  readonly label: string
  /** Labels and views by part. */
  readonly parts: Readonly<Record<string, readonly [label: string, View: () => VNode | null]>>
  readonly counts?: Readonly<Record<string, number>>
  readonly aside?: ComponentChildren
}

export function Parts({ label, parts, counts = {}, aside }: PartsProps) {
  const { viewState, go } = useConsole()
  const [first = ''] = Object.keys(parts)
  const current = Object.hasOwn(parts, viewState.part ?? '') ? (viewState.part ?? '') : first
  const tabs = Object.entries(parts).map(([id, [label]]) => ({ id, label, count: counts[id] }))
  const View = parts[current]?.[1]
  // Filters of one part mean nothing in another.
  const change = (part: string) => go({ part, ...noQuery })
  return (
    <>
      <div class="toolbar">
        <Tabs class="row" label={label} tabs={tabs} current={current} onChange={change} />
        <span class="spacer" />
        {aside}
      </div>
      <Panel id={current}>{View && <View />}</Panel>
    </>
  )
}
