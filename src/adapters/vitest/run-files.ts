// Saves the run of a failed test as a page.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { TestContext } from 'vitest'
import { createFolder, writeFile } from '../server/write-file.ts'
import { messageOf } from '../../contract/text/format.ts'
import type { WorkspaceMock } from '../../mock.ts'

const mostNameCharacters = 80

/** The file name of a test's run: the end of the title, the test's id, and which retry or repeat it was. */
function fileNameOf({ fullName, id, result }: TestContext['task']): string {
  const words = fullName.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_.]+/gu, '-')
  const name = words.replace(/^[-.]+|-+$/g, '').slice(-mostNameCharacters)
  const again = [
    ['retry', result?.retryCount ?? 0],
    ['repeat', result?.repeatCount ?? 0],
  ] as const
  const numbers = again.map(([what, count]) => (count > 0 ? `-${what}${String(count)}` : ''))
  return `${name}-${id.replace(/\W+/g, '')}${numbers.join('')}.html`
}

/**
 * Saves a test's mock as a page.
 * @returns a line that says where it is, or why saving failed. Never throws, so that the test's own failure is shown.
 */
export async function saveRunOf(
  task: TestContext['task'],
  mock: WorkspaceMock,
  folder: string,
): Promise<string> {
  try {
    // Loaded on first use: a test that passes does not need it.
    const { runPage } = await import('../page/run-page.ts')
    const path = resolve(folder, fileNameOf(task))
    createFolder(folder)
    writeFile(path, runPage(mock, { title: task.fullName }))
    return `The run as a page: ${pathToFileURL(path).href}`
  } catch (error) {
    return `The run could not be saved in ${folder}: ${messageOf(error)}`
  }
}
