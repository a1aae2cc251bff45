// The table browser, with pages, sorting and a filter.
import { useEffect, useState } from 'preact/hooks'
import type { Client, Column, Row, Table } from './client.ts'
import { Dot, Failure, dateText, numberText, typed, useLoaded } from './parts.tsx'

const pageRows = 25
const numberTypes = new Set(['number', 'currency', 'slider', 'formula'])
const moments = new Set(['date', 'created_at', 'updated_at'])

interface Sort {
  readonly column: string
  readonly direction: 'asc' | 'desc'
}

interface Members {
  readonly members: readonly { readonly id: string; readonly name: string }[]
}

function Value({ column, value, members }: { readonly column: Column; readonly value: unknown } & Members) {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return <span class="nothing">–</span>
  const option = (id: unknown) => column.options?.find((candidate) => candidate.id === id)
  if (column.type === 'dropdown')
    return (
      <span class="option">
        <Dot color={option(value)?.color ?? 'gray'} /> {option(value)?.label ?? String(value)}
      </span>
    )
  if (column.type === 'tags' && Array.isArray(value))
    return <>{value.map((id) => option(id)?.label ?? String(id)).join(', ')}</>
  if (column.type === 'people' && Array.isArray(value))
    return <>{value.map((id) => members.find((member) => member.id === id)?.name ?? String(id)).join(', ')}</>
  if (column.type === 'attachment' && Array.isArray(value))
    return <>{value.map((file: { readonly filename: string }) => file.filename).join(', ')}</>
  if (moments.has(column.type) && typeof value === 'number') return <>{dateText(value)}</>
  if (column.type === 'checkbox') return <>{value === true ? 'Yes' : 'No'}</>
  if (column.type === 'currency' && typeof value === 'number')
    return (
      <>
        {new Intl.NumberFormat('en', { style: 'currency', currency: column.currency_code ?? 'EUR' }).format(
          value,
        )}
      </>
    )
  if (typeof value === 'number') return <>{numberText(value)}</>
  return <>{Array.isArray(value) ? value.join(', ') : String(value)}</>
}

interface Filter {
  readonly column: string
  readonly value: string
}

function FilterFields({
  columns,
  filter,
  onFilter,
}: {
  readonly columns: readonly Column[]
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
}) {
  const column = columns.find(({ name }) => name === filter.column)
  const choices = column?.type === 'checkbox' ? ['true', 'false'] : column?.options?.map(({ label }) => label)
  return (
    <div class="filter">
      <label>
        Filter by
        <select value={filter.column} onChange={(event) => onFilter({ column: typed(event), value: '' })}>
          <option value="">no column</option>
          {columns.map(({ id, name }) => (
            <option key={id} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {column && (
        <label>
          is
          {choices ? (
            <select value={filter.value} onChange={(event) => onFilter({ ...filter, value: typed(event) })}>
              <option value="">anything</option>
              {choices.map((choice) => (
                <option key={choice} value={choice}>
                  {choice}
                </option>
              ))}
            </select>
          ) : (
            <input
              type="search"
              value={filter.value}
              onChange={(event) => onFilter({ ...filter, value: typed(event) })}
            />
          )}
        </label>
      )}
    </div>
  )
}

function Heading({
  column,
  sort,
  onSort,
}: {
  readonly column: Column
  readonly sort: Sort | null
  readonly onSort: (sort: Sort) => void
}) {
  const isSorted = sort?.column === column.name
  const direction = isSorted && sort.direction === 'asc' ? 'desc' : 'asc'
  const order = !isSorted ? 'none' : sort.direction === 'asc' ? 'ascending' : 'descending'
  return (
    <th scope="col" aria-sort={order} class={numberTypes.has(column.type) ? 'number' : ''}>
      <button type="button" onClick={() => onSort({ column: column.name, direction })}>
        {column.name}
        <span aria-hidden="true">{order === 'ascending' ? ' ↑' : order === 'descending' ? ' ↓' : ''}</span>
      </button>
    </th>
  )
}

function Lines({
  rows,
  columns,
  members,
}: { readonly rows: readonly Row[]; readonly columns: readonly Column[] } & Members) {
  return (
    <tbody>
      {rows.map((row) => (
        <tr key={row.id}>
          {columns.map((column) => (
            <td key={column.id} class={numberTypes.has(column.type) ? 'number' : ''}>
              <Value column={column} value={row.data[column.id]} members={members} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

const nothing: Filter = { column: '', value: '' }

function Rows({ client, table, members }: { readonly client: Client; readonly table: Table } & Members) {
  const [page, setPage] = useState(1)
  const [sort, setSort] = useState<Sort | null>(null)
  const [filter, setFilter] = useState(nothing)
  const columns = useLoaded(() => client.columns(table.id), [table.id])
  const hasFilter = filter.column !== '' && filter.value !== ''
  const rows = useLoaded(
    () =>
      client.rows(table.id, {
        page,
        limit: pageRows,
        filters: hasFilter ? { [filter.column]: filter.value } : {},
        ...(sort && { sort: `${sort.column}:${sort.direction}` }),
      }),
    [table.id, page, sort, hasFilter, filter.value],
  )
  useEffect(() => setPage(1), [sort, filter])
  if (columns.failure !== null) return <Failure>{columns.failure}</Failure>
  const total = rows.value?.total ?? 0
  const pages = Math.max(1, Math.ceil(total / pageRows))
  return (
    <section aria-label={table.name} aria-busy={rows.isLoading}>
      <div class="bar">
        <FilterFields columns={columns.value ?? []} filter={filter} onFilter={setFilter} />
        <p class="total">
          <b>{numberText(total)}</b> {total === 1 ? 'row' : 'rows'}
        </p>
        <nav aria-label="Pages">
          <button
            type="button"
            aria-label="Previous page"
            disabled={page <= 1}
            onClick={() => setPage(page - 1)}
          >
            ‹
          </button>
          <span aria-live="polite">
            {page} of {pages}
          </span>
          <button
            type="button"
            aria-label="Next page"
            disabled={page >= pages}
            onClick={() => setPage(page + 1)}
          >
            ›
          </button>
        </nav>
      </div>
      {rows.failure !== null && <Failure>{rows.failure}</Failure>}
      <div class="scroll" tabIndex={0} role="region" aria-label={`Rows of ${table.name}`}>
        <table>
          <thead>
            <tr>
              {columns.value?.map((column) => (
                <Heading key={column.id} column={column} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          {rows.value && <Lines rows={rows.value.rows} columns={columns.value ?? []} members={members} />}
        </table>
        {rows.value?.rows.length === 0 && (
          <p class="empty">{hasFilter ? 'No row matches this filter.' : 'This table is empty.'}</p>
        )}
      </div>
    </section>
  )
}

export function Tables({
  client,
  tables,
  members,
  chosen,
  onChoose,
}: {
  readonly client: Client
  readonly tables: readonly Table[]
  readonly chosen: string | null
  readonly onChoose: (table: string) => void
} & Members) {
  const table = tables.find(({ id }) => id === chosen) ?? tables[0]
  if (!table) return <p class="empty">This workspace has no table.</p>
  return (
    <>
      <div class="head">
        <h1>{table.name}</h1>
        <label class="pick">
          <span>Table</span>
          <select value={table.id} onChange={(event) => onChoose(typed(event))}>
            {tables.map(({ id, name, row_count }) => (
              <option key={id} value={id}>
                {name} ({numberText(row_count)})
              </option>
            ))}
          </select>
        </label>
      </div>
      <Rows key={table.id} client={client} table={table} members={members} />
    </>
  )
}
