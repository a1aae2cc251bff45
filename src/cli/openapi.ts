// Command `openapi`: prints the OpenAPI document.
import { writeFileSync } from 'node:fs'
import { AnswerError } from '../contract/questions/register.ts'
import { openApiDocument, type OpenApiDocument } from '../openapi/index.ts'
import { readAnswersFile } from './answers-file.ts'
import { messageOf } from './json-file.ts'

export interface OpenApiFlags {
  readonly baseUrl?: string
  readonly answers?: string
  readonly out?: string
}

/** @throws {Error} that says which flag or file is wrong */
function documentOf({ baseUrl, answers: file }: OpenApiFlags): OpenApiDocument {
  // What is in the file is checked by the document.
  const answers = file === undefined ? {} : readAnswersFile(file)
  try {
    return openApiDocument({ answers, ...(baseUrl !== undefined && { baseUrl }) })
  } catch (error) {
    if (error instanceof AnswerError) throw new Error(`${file ?? ''}: ${error.message}`, { cause: error })
    throw error
  }
}

/** @throws {Error} that says which flag or file is wrong */
export function openApiCommand(flags: OpenApiFlags): void {
  const text = `${JSON.stringify(documentOf(flags), null, 2)}\n`
  if (flags.out === undefined) {
    process.stdout.write(text)
    return
  }
  try {
    writeFileSync(flags.out, text)
  } catch (error) {
    throw new Error(`${flags.out} cannot be written: ${messageOf(error)}`, { cause: error })
  }
}
