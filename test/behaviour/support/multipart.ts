// Multipart bodies for tests.

/** A multipart body with files and additional text parts. */
export function multipart(
  files: readonly { name?: string; filename: string; content: BlobPart; type?: string }[],
  parts: Readonly<Record<string, string>> = {},
): FormData {
  const form = new FormData()
  for (const [name, text] of Object.entries(parts)) form.append(name, text)
  for (const { name = 'file', filename, content, type = 'text/plain' } of files)
    form.append(name, new Blob([content], { type }), filename)
  return form
}
