// Command `openapi`: prints the OpenAPI document.
import { openApiDocument } from '../openapi/document.ts'
import { writeFile } from '../../adapters/server/write-file.ts'
import { readAnswersFile } from './files.ts'
import { print } from './terminal.ts'

export interface OpenApiFlags {
  readonly baseUrl?: string
  readonly answers?: string
  readonly out?: string
  readonly openapi?: '3.1' | '3.0'
}

export function openApiCommand({ baseUrl, answers, out, openapi = '3.1' }: OpenApiFlags): void {
  const document = openApiDocument({
    answers: readAnswersFile(answers),
    openapi,
    ...(baseUrl !== undefined && { baseUrl }),
  })
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (out === undefined) print(text)
  else writeFile(out, text)
}
