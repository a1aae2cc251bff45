// The columns of the request list. Which ones are shown depends on the available width and on how the requests differ.
import type { ComponentChildren } from 'preact'
import { formatDuration, formatOwnTime, formatPreciseTime } from '../../format.ts'
import type { RequestRow } from '../../live-state.ts'
import { Mark, StatusCode } from '../../parts/blocks.tsx'
import { nameOfSandbox } from '../../parts/scope.tsx'
import { describeReason, formatQuery } from './request-text.ts'

interface Column {
  readonly name: string
  readonly head: string
  /** Explains the column head. */
  readonly title?: string
  /** Minimum width in pixels. */
  readonly width: number
  /** Whether it takes spare width, as far as its texts need it. */
  readonly share?: true
  /** `always`: always shown. `filled`: shown unless empty in all rows. Absent: shown only if the rows differ. */
  readonly stands?: 'always' | 'filled'
  readonly text: (row: RequestRow) => string
  /** What is shown in place of the text. */
  readonly cell?: (row: RequestRow) => ComponentChildren
}

const pathOf = (row: RequestRow) => row.outside ?? row.path

/** The columns in the order in which they are shown. */
const columns = [
  { name: 'number', head: '#', width: 44, stands: 'always', text: ({ id }) => `#${String(id)}` },
  {
    ...{ name: 'code', head: 'Status', width: 42, stands: 'always', text: ({ status }) => String(status) },
    cell: ({ status, partial }) => <StatusCode status={status} isPartial={partial !== undefined} />,
  },
  {
    ...{ name: 'time', head: 'Time', title: "On the mock's clock, UTC", width: 92 },
    text: ({ atMs }) => formatPreciseTime(atMs),
  },
  {
    ...{ name: 'arrived', head: 'Arrived', title: "On this machine's clock", width: 92 },
    text: ({ arrivedMs }) => (arrivedMs === undefined ? '' : formatOwnTime(arrivedMs)),
  },
  {
    ...{
      name: 'took',
      head: 'Took',
      title: 'Until its response was sent, as measured by the mock',
      width: 60,
    },
    text: ({ tookMs }) => (tookMs === undefined ? '' : formatDuration(tookMs)),
  },
  { name: 'method', head: 'Method', width: 54, stands: 'always', text: ({ method }) => method },
  {
    ...{ name: 'path', head: 'Path', width: 190, share: true, stands: 'always' },
    text: (row) => pathOf(row) + formatQuery(row),
    cell: (row) => [
      pathOf(row),
      <span class="faint">{formatQuery(row)}</span>,
      // For screen readers: method and path identify the operation visually.
      <span class="visually-hidden"> {row.operation ?? 'no operation'}</span>,
    ],
  },
  {
    ...{ name: 'why', head: 'Reason', width: 150, share: true, stands: 'filled' },
    text: (row) => `${row.console ? 'console ' : ''}${describeReason(row)}`,
    cell: (row) => {
      const reason = describeReason(row)
      const tone = row.partial ? 'warn' : row.fault === null ? 'plain' : 'accent'
      return [row.console && <Mark>console</Mark>, ' ', reason !== '' && <Mark tone={tone}>{reason}</Mark>]
    },
  },
  { name: 'key', head: 'Key', width: 84, share: true, text: ({ key }) => key ?? '–' },
  {
    ...{ name: 'of-sandbox', head: 'Sandbox', width: 90, share: true },
    text: ({ sandbox }) => nameOfSandbox(sandbox),
  },
  { name: 'label', head: 'Label', width: 120, share: true, text: ({ label = '' }) => label },
] as const satisfies readonly Column[]

type ColumnName = (typeof columns)[number]['name']

/** The order in which columns are given space. */
const byImportance = [
  ...(['of-sandbox', 'why', 'took', 'label', 'arrived', 'time', 'key'] as const),
] satisfies ColumnName[]

/** Only the latest rows are measured: measuring all would be slow while requests arrive. */
const measuredRows = 1000

/** The columns worth showing, each with the length of its longest text if it takes spare width, otherwise 0. */
export type Telling = ReadonlyMap<string, number>

/** The columns in which the requests differ; for a single request, those that are not empty. */
export function findTelling(rows: readonly RequestRow[]): Telling {
  const telling = new Map<string, number>()
  const latest = rows.slice(-measuredRows)
  for (const { name, stands, text, share } of columns as readonly Column[]) {
    const first = rows[0] ? text(rows[0]) : ''
    const isFirstEnough = rows.length === 1 || stands === 'filled'
    const isTelling =
      stands === 'always' || (isFirstEnough && first !== '') || rows.some((row) => text(row) !== first)
    if (isTelling)
      telling.set(name, share ? latest.reduce((most, row) => Math.max(most, text(row).length), 0) : 0)
  }
  return telling
}

const gap = 12
/** Rough width of a character in the list, and the padding of a mark. */
const characterWidth = 7.6
const textMargin = 18
/** The share of the remaining width that a long path takes before labels and other texts get any. */
const pathShare = 0.6
/** In the narrow layout a row has two lines: the reason and the sandbox are below the path. */
const narrowNames: readonly ColumnName[] = ['number', 'code', 'method', 'path', 'why', 'of-sandbox']
const narrowBelow = 528

export interface Layout {
  readonly columns: readonly Column[]
  readonly isNarrow: boolean
  readonly rowHeight: number
  /** The value of `grid-template-columns`; undefined in the narrow layout. */
  readonly template: string | undefined
}

/** Chooses the columns that fit into `width` pixels, starting with the most important. */
export function layOut(width: number, telling: Telling): Layout {
  const all: readonly Column[] = columns.filter(({ name }) => telling.has(name))
  if (width < narrowBelow) {
    const shown = all.filter(({ name }) => narrowNames.includes(name))
    return { columns: shown, isNarrow: true, rowHeight: 56, template: undefined }
  }
  const chosen = new Set(all.filter(({ stands }: Column) => stands === 'always'))
  let left = width - 2 * 16 - [...chosen].reduce((sum, column) => sum + column.width + gap, -gap)
  for (const wanted of byImportance) {
    const column = all.find(({ name }) => name === wanted)
    if (!column || left < column.width + gap) continue
    chosen.add(column)
    left -= column.width + gap
  }
  const shown = all.filter((column) => chosen.has(column))
  const widthOf = new Map(shown.map((column) => [column.name, column.width]))
  // The path first; other texts get what it leaves.
  for (const wanted of ['path', 'label', 'why', 'of-sandbox', 'key']) {
    const least = widthOf.get(wanted)
    if (least === undefined) continue
    const most = wanted === 'path' ? left * pathShare : left
    const more = Math.min(most, Math.max(0, (telling.get(wanted) ?? 0) * characterWidth + textMargin - least))
    widthOf.set(wanted, least + more)
    left -= more
  }
  const widths = [...widthOf].map(([name, px]) =>
    name === 'path' ? `minmax(${String(px)}px, 1fr)` : `${String(px)}px`,
  )
  return { columns: shown, isNarrow: false, rowHeight: 34, template: widths.join(' ') }
}
