// Opens an address in the user's browser.
import { spawn } from 'node:child_process'
import { printError } from '../terminal.ts'

function chooseOpener(url: string): readonly [string, ...string[]] {
  const { BROWSER = '' } = process.env
  if (BROWSER !== '') return [BROWSER, url]
  if (process.platform === 'darwin') return ['open', url]
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '""', url]
  return ['xdg-open', url]
}

export function openInBrowser(url: string): void {
  const [command, ...args] = chooseOpener(url)
  const opening = spawn(command, args, { detached: true, stdio: 'ignore' })
  opening.on('error', () => printError(`warning: no browser was found (${command}); open ${url}\n`))
  opening.unref()
}
