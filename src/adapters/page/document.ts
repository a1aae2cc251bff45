// Self-contained HTML documents: a server's console and saved runs.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Crect x='2.8' y='2.8' " +
  "width='18.4' height='18.4' rx='5' fill='none' stroke='%232a55c8' stroke-width='2' stroke-dasharray='3.2 2.6'/%3E" +
  "%3Ccircle cx='12' cy='12' r='4' fill='%232a55c8'/%3E%3C/svg%3E"

/** Reads a script from `dist`, this file's folder once it is built; undefined if it is missing or cannot be read. */
export function readScript(name: 'console.js' | 'run-console.js'): string | undefined {
  const places = [`./${name}`, `../../../dist/${name}`].map((place) => new URL(place, import.meta.url))
  const file = places.find((url) => existsSync(url))
  try {
    // An inline script must not contain its own end tag.
    return file && readFileSync(file, 'utf8').replaceAll('</script', '<\\/script')
  } catch {
    return undefined
  }
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`)

/** The content security policy source that allows an inline script. */
export const hashSource = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** @param head HTML for the head of the document */
export const toDocument = (title: string, content: string, head = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${head}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}">
</head>
<body>
${content}
</body>
</html>
`
