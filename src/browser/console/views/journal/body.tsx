// The body of a request or response, as the journal has it.
import type { JournalBody } from '../../../../core/journal/entry.ts'
import { sizeText } from '../../format.ts'
import { Table } from '../../parts/blocks.tsx'
import { JsonText } from '../../parts/json.tsx'

export function Body({ body, label }: { readonly body: JournalBody; readonly label: string }) {
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
      {parts && (
        <Table class="compact" heads={['Part', 'Type', 'Size']}>
          {parts.map(({ name, filename, contentType: type, sizeBytes: size }, index) => (
            <tr key={index}>
              <th scope="row" dir="auto">
                {name} {filename !== undefined && <span class="aside">{filename}</span>}
              </th>
              <td>{type}</td>
              <td class="number">{sizeText(size)}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}

/** The text of a body, to edit it; undefined if the journal does not have the whole of it. */
export function textOfBody(body: JournalBody): string | undefined {
  if (body === null) return ''
  if ('json' in body) return JSON.stringify(body.json, null, 2)
  return 'text' in body ? body.text : undefined
}
