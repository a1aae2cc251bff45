// What the journeys need before they start: the console built from the sources, as the server shows it.
import { build } from 'tsdown'
import pageScripts from '../../../../.config/tsdown.console.config.ts'

export async function setup(): Promise<void> {
  for (const script of pageScripts) await build({ ...script, config: false })
}
