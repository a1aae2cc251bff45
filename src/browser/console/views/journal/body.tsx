// The body of a request or response, as the journal has it.
import type { JournalBody } from '../../../../core/journal/entry.ts'
import type { BodyPart } from '../../../../core/request/multipart.ts'
import { sizeText } from '../../format.ts'
import { JsonText } from '../../parts/blocks.tsx'
import { Table, type TableColumn } from '../../parts/table.tsx'

const partColumns: readonly TableColumn<BodyPart>[] = [
  {
    ...{ head: 'Part', isName: true },
    cell: ({ name, filename }) => (
      <>
        {name} {filename !== undefined && <span class="aside">{filename}</span>}
      </>
    ),
    attributes: () => ({ dir: 'auto' }),
  },
  { head: 'Type', cell: ({ contentType }) => contentType },
  { head: 'Size', class: 'number', cell: ({ sizeBytes }) => sizeText(sizeBytes) },
]

export function Body({ body, label }: { body: JournalBody; label: string }) {
  if (body === null) return <p class="faint">No body</p>
  if ('json' in body) return <JsonText value={body.json} label={label} />
  if ('text' in body)
    return (
      <pre class="json" tabIndex={0} aria-label={label}>
        {body.text}
      </pre>
    )
  const { sizeBytes, contentType, truncated, parts } = body
  return (
    <>
      <p class="faint">
        {sizeText(sizeBytes)} of {contentType}
        {truncated && !parts ? ', too large for the journal' : ''}
      </p>
      {parts && <Table class="compact" columns={partColumns} items={parts} />}
    </>
  )
}

/** The text of a body, to edit it; undefined if the journal does not have the whole of it. */
export function textOfBody(body: JournalBody): string | undefined {
  if (body === null) return ''
  if ('json' in body) return JSON.stringify(body.json, null, 2)
  return 'text' in body ? body.text : undefined
}
