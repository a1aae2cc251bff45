// What the journeys need before they start: the console of the sources, as the server shows it.
import { build } from 'tsdown'
import consoleScript from '../../../../.config/tsdown.console.config.ts'

export async function setup(): Promise<void> {
  await build({ ...consoleScript, config: false })
}
