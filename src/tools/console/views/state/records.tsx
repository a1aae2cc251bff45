// A page of records in a grid, with search, a choice of columns and actions on selected records. One record can be open.
import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import type { Column } from '../../../../contract/datatables.ts'
import { idsOf } from '../../../../contract/data/maps.ts'
import { formatQuantity, numberText } from '../../format.ts'
import { Failure, NothingMatches } from '../../parts/blocks.tsx'
import { noQuery, useConsole, useParam, type ViewState } from '../../parts/context.ts'
import { Action, Button } from '../../parts/controls.tsx'
import { Input, toNamedChoices } from '../../parts/fields.tsx'
import { type ApiRequest, useEdit } from '../../parts/edits.tsx'
import { Checkboxes } from '../../parts/value-editor.tsx'
import type { RowLinks } from './cell.tsx'
import { Grid, type GridSource } from './grid.tsx'

export const pageRows = 50
/** A search starts once nothing has been typed for this long. */
export const typingMs = 200

/** The page's offset, or 0 if it is past the last record. */
export const offsetOf = ({ offset }: ViewState, count: number) =>
  Number(offset) < count ? Number(offset) : 0

function Pages({ offset, total }: { offset: number; total: number }) {
  const { set } = useParam('offset')
  if (total <= pageRows) return null
  const turn = (label: string, text: string, to: number) => {
    const disabled = to < 0 || to >= total || to === offset
    return <Button {...{ label, text, disabled }} onClick={() => set(to === 0 ? '' : String(to))} />
  }
  const last = Math.floor((total - 1) / pageRows) * pageRows
  const end = Math.min(offset + pageRows, total)
  return (
    <nav class="pages" aria-label="Pages">
      {turn('First page', '«', 0)}
      {turn('Previous page', '‹', offset - pageRows)}
      <span class="where" aria-live="polite">
        {`${numberText(offset + 1)} to ${numberText(end)} of ${numberText(total)}`}
      </span>
      {turn('Next page', '›', offset + pageRows)}
      {turn('Last page', '»', last)}
    </nav>
  )
}

interface ColumnMenuProps {
  readonly columns: readonly Column[]
  readonly shown: readonly Column[]
  readonly show: (ids: readonly string[]) => void
}

/** A button with a menu below it, which the browser closes on a click elsewhere. */
function ColumnMenu({ columns, shown, show }: ColumnMenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const close = () => {
    menu.current?.hidePopover()
    // The browser would return the focus to the host of the shadow tree.
    button.current?.focus()
  }
  const anchor = { type: 'button', popovertarget: id, style: { 'anchor-name': `--${id}` } } as const
  const hidden = columns.length - shown.length
  const boxes = { legend: 'Shown columns', choices: toNamedChoices(columns), ids: idsOf(shown) }
  return (
    <>
      <Button
        ref={button}
        {...anchor}
        text={hidden === 0 ? 'Columns' : `Columns, ${numberText(hidden)} hidden`}
      />
      <div
        ref={menu}
        {...{ id, popover: 'auto', class: 'sheet popover', role: 'group', 'aria-label': 'Columns' }}
        style={{ 'position-anchor': `--${id}` }}
        onKeyDown={({ key }) => key === 'Escape' && close()}
      >
        <Checkboxes {...boxes} set={show} />
        {hidden > 0 && <Button onClick={() => show(idsOf(columns))} text="Show all" />}
      </div>
    </>
  )
}

interface RecordsProps<Item extends { readonly id: string }> extends GridSource<Item> {
  /** The request that deletes a record. */
  readonly toDeletion: (id: string) => ApiRequest
  readonly items: readonly Item[] | undefined
  readonly links: RowLinks | undefined
  /** How many match, and how many there are. */
  readonly found: number
  readonly count: number
  readonly failure: string | null
  /** Shown when there are no records at all. */
  readonly nothing: ComponentChildren
  readonly search: { readonly label: string; readonly placeholder: string }
  /** The open record. */
  readonly pane: ComponentChildren
}

export function Records<Item extends { readonly id: string }>(props: RecordsProps<Item>) {
  const { kind, toDeletion, columns, items, found, count, failure, nothing, search, pane, ...grid } = props
  const { viewState, go } = useConsole()
  const edit = useEdit()
  const hide = useParam('hide', false)
  const shown = columns.filter(({ id }) => !hide.value.split(',').includes(id))
  const show = (ids: readonly string[]) =>
    hide.set(
      idsOf(columns)
        .filter((id) => !ids.includes(id))
        .join(),
    )
  const [keys, set] = useState<readonly string[]>([])
  const selected = formatQuantity(keys.length, kind)
  const removal = {
    ...{ text: `Remove ${selected}`, confirm: `Remove ${selected}?` },
    ...edit(
      `Removed ${selected}.`,
      () => keys.map(toDeletion),
      () => set([]),
    ),
  }
  const selection = { keys, set, label: 'Select all on this page' }
  const find = (text: string) => go({ search: text || undefined, offset: undefined }, false)
  const none =
    count > 0 ? <NothingMatches what={formatQuantity(count, kind)} showAll={() => go(noQuery)} /> : nothing
  return (
    <>
      <div class="toolbar">
        <Input type="search" class="grow" {...search} value={viewState.search ?? ''} set={find} />
        <ColumnMenu {...{ columns, shown, show }} />
        <span class="aside">To edit a cell, double-click it or press Enter</span>
        <span class="spacer" />
        {keys.length > 0 && <Action kind="danger" {...removal} />}
        <Pages offset={offsetOf(viewState, count)} total={found} />
      </div>
      <Failure message={failure} />
      <div class={`split ${viewState[kind] === undefined ? '' : 'is-open'}`}>
        {items && <Grid {...grid} {...{ kind, columns: shown, items, selection, nothing: none }} />}
        {pane}
      </div>
    </>
  )
}
