// Command `openapi`: prints the OpenAPI document.
import { openApiDocument } from '../openapi/document.ts'
import { readAnswersFile, writeFile } from './files.ts'

export interface OpenApiFlags {
  readonly baseUrl?: string
  readonly answers?: string
  readonly out?: string
}

export function openApiCommand({ baseUrl, answers, out }: OpenApiFlags): void {
  const document = openApiDocument({
    answers: readAnswersFile(answers),
    ...(baseUrl !== undefined && { baseUrl }),
  })
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (out === undefined) process.stdout.write(text)
  else writeFile(out, text)
}
