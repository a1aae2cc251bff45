// Shows JSON: indented, with its parts in colours.
import type { VNode } from 'preact'

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/g
/** Longer texts are shown without colours. */
const colouredCharacters = 60_000

function coloured(text: string): (VNode | string)[] {
  const parts: (VNode | string)[] = []
  let end = 0
  for (const match of text.matchAll(tokens)) {
    const [whole, string, colon] = match
    // Names have the colour of the text.
    if (colon !== undefined) continue
    parts.push(text.slice(end, match.index))
    end = match.index + whole.length
    parts.push(<span class={string === undefined ? 'literal' : 'string'}>{whole}</span>)
  }
  parts.push(text.slice(end))
  return parts
}

export function JsonText({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  return (
    <pre class="json" tabIndex={0} aria-label={label}>
      {text.length > colouredCharacters ? text : coloured(text)}
    </pre>
  )
}
