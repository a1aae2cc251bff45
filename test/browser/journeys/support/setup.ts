// What the journeys need before they start: the console of the sources, as the server shows it.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export async function setup(): Promise<void> {
  await promisify(execFile)('npm', ['run', 'build:console'])
}
