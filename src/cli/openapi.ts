// Command `openapi`: prints the OpenAPI document.
import { writeFileSync } from 'node:fs'
import { openApiDocument } from '../openapi/index.ts'
import { named, readAnswersFile } from './input-files.ts'

export interface OpenApiFlags {
  readonly baseUrl?: string
  readonly answers?: string
  readonly out?: string
}

/** @throws {Error} that says which flag or file is wrong */
export function openApiCommand({ baseUrl, answers, out }: OpenApiFlags): void {
  const document = openApiDocument({
    answers: readAnswersFile(answers),
    ...(baseUrl !== undefined && { baseUrl }),
  })
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (out === undefined) process.stdout.write(text)
  else named(`${out} cannot be written`, () => writeFileSync(out, text))
}
