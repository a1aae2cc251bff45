// Reads JSON files named on the command line.
import { readFileSync } from 'node:fs'

/**
 * The value in a JSON file; `what` says what it was to be.
 * @throws {Error} that names the file, where it cannot be read or holds no JSON
 */
export function readJsonFile(file: string, what: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${what} ${file} cannot be read: ${messageOf(error)}`, { cause: error })
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new Error(`${what} ${file} is no JSON: ${messageOf(error)}`, { cause: error })
  }
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
