// Owns the writing of a request of the journal as a curl command.
import type { JournalEntry } from '../../core/journal.ts'

/** A word of a POSIX shell. */
const quoted = (text: string) => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** `key` is the key itself, of which the journal knows the name alone. */
export function curlOf(entry: JournalEntry, baseUrl: string, key: string | undefined): string {
  const query = new URLSearchParams(entry.query).toString()
  const address = `${baseUrl}${entry.path}${query === '' ? '' : `?${query}`}`
  const parts = [`curl ${entry.method === 'GET' ? '' : `-X ${entry.method} `}${quoted(address)}`]
  if (entry.key !== null) parts.push(`-H ${quoted(`Authorization: Bearer ${key ?? entry.key}`)}`)
  const body = entry.requestBody
  if (body && 'json' in body) {
    parts.push(
      `-H ${quoted('Content-Type: application/json')}`,
      `--data ${quoted(JSON.stringify(body.json))}`,
    )
  } else if (body && 'text' in body) parts.push(`--data-binary ${quoted(body.text)}`)
  // The journal keeps no files: whoever sends this again names one.
  else if (body)
    parts.push(body.contentType.startsWith('multipart/') ? '-F file=@FILE' : '--data-binary @FILE')
  return parts.join(' \\\n  ')
}
