// The columns of the list of requests: which of them stand, by the room there is and by what the requests differ in.
import type { ComponentChildren } from 'preact'
import { formatDuration, formatOwnTime, formatPreciseTime } from '../../format.ts'
import type { RequestRow } from '../../live-state.ts'
import { Mark, StatusCode } from '../../parts/blocks.tsx'
import { nameOfSandbox } from '../../parts/scope.tsx'
import { describeFailure, formatQuery } from './request-text.ts'

interface Column {
  readonly name: string
  readonly head: string
  /** Explains the head. */
  readonly title?: string
  /** Its least width in pixels. */
  readonly width: number
  /** Its share of the room that is left; 0 by default. */
  readonly share?: number
  /** `always` stands whatever it holds; `filled` unless it is empty in all rows; others where the rows differ. */
  readonly stands?: 'always' | 'filled'
  readonly text: (row: RequestRow) => string
  /** What is shown in place of the text. */
  readonly cell?: (row: RequestRow) => ComponentChildren
}

const describeReason = (row: RequestRow) =>
  (row.fault === null ? '' : `${row.fault}: `) + describeFailure(row)

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
    ...{ name: 'arrived', head: 'Arrived', title: 'On the clock of this machine', width: 92 },
    text: ({ arrivedMs }) => (arrivedMs === undefined ? '' : formatOwnTime(arrivedMs)),
  },
  {
    ...{ name: 'took', head: 'Took', title: 'Until its response, as measured where it was sent', width: 60 },
    text: ({ tookMs }) => (tookMs === undefined ? '' : formatDuration(tookMs)),
  },
  { name: 'method', head: 'Method', width: 54, stands: 'always', text: ({ method }) => method },
  {
    ...{ name: 'path', head: 'Path', width: 190, share: 4, stands: 'always' },
    text: (row) => pathOf(row) + formatQuery(row),
    cell: (row) => [pathOf(row), <span class="faint">{formatQuery(row)}</span>],
  },
  {
    ...{ name: 'why', head: 'Reason', width: 150, share: 1, stands: 'filled' },
    text: (row) => `${row.console ? 'console ' : ''}${describeReason(row)}`,
    cell: (row) => {
      const reason = describeReason(row)
      const tone = row.partial ? 'warn' : row.fault === null ? 'plain' : 'accent'
      return [row.console && <Mark>console</Mark>, ' ', reason !== '' && <Mark tone={tone}>{reason}</Mark>]
    },
  },
  {
    ...{ name: 'operation', head: 'Operation', width: 150 },
    text: ({ operation }) => operation ?? 'no operation',
  },
  { name: 'key', head: 'Key', width: 84, text: ({ key }) => key ?? '–' },
  {
    ...{ name: 'of-sandbox', head: 'Sandbox', width: 90, share: 1 },
    text: ({ sandbox }) => nameOfSandbox(sandbox),
  },
  { name: 'label', head: 'Label', width: 120, share: 2, text: ({ label = '' }) => label },
] as const satisfies readonly Column[]

type ColumnName = (typeof columns)[number]['name']

/** Which of them find room first. */
const byImportance = [
  ...(['of-sandbox', 'why', 'took', 'label', 'operation', 'arrived', 'time', 'key'] as const),
] satisfies ColumnName[]

/** The columns in which the requests differ; of a single request, those that say anything. */
export function findTelling(rows: readonly RequestRow[]): ReadonlySet<string> {
  const telling = columns.filter(({ stands, text }: Column) => {
    if (stands === 'always') return true
    const first = rows[0] ? text(rows[0]) : ''
    const isFirstEnough = rows.length === 1 || stands === 'filled'
    return (isFirstEnough && first !== '') || rows.some((row) => text(row) !== first)
  })
  return new Set(telling.map(({ name }) => name))
}

const gap = 12
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

/** The columns that fit into `width` pixels, the most important first. */
export function layOut(width: number, telling: ReadonlySet<string>): Layout {
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
  const widths = shown.map(({ width: least, share }) =>
    share === undefined ? `${String(least)}px` : `minmax(${String(least)}px, ${String(share)}fr)`,
  )
  return { columns: shown, isNarrow: false, rowHeight: 34, template: widths.join(' ') }
}
