// Starts the demo: first the mock, then an app that does not know about it, with the console next to it.
import { render } from 'preact'
import { createWorkspaceMock } from 'workspace-api-mock'
import { mountConsole, startWorker, type MountedConsole } from 'workspace-api-mock/browser'
import { App } from './app.tsx'
import { createClient, type Client } from './client.ts'
import { Tour } from './tour.tsx'

const mock = createWorkspaceMock({ fixture: 'demo', clock: 'system' })
const { reset } = await startWorker(mock, { persist: 'demo-page', quiet: true })

function find(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector)
  if (!element) throw new Error(`the page has no element ${selector}`)
  return element
}
const drawer = document.createElement('aside')
drawer.className = 'drawer'
drawer.setAttribute('aria-label', 'Console of the mock')

let mounted: MountedConsole | undefined

async function toggleConsole(): Promise<void> {
  if (mounted) {
    mounted.unmount()
    drawer.remove()
    mounted = undefined
    return
  }
  document.body.append(drawer)
  mounted = await mountConsole(drawer, mock)
}

let starts = 0

function start(client: Client): void {
  render(
    <App
      key={(starts += 1)}
      client={client}
      onConsole={() => void toggleConsole()}
      onReset={() => void reset().then(() => location.reload())}
    />,
    find('#app'),
  )
}

const client = createClient(mock.baseUrl, mock.keys['master'] ?? '')
render(<Tour mock={mock} client={client} onClient={start} />, find('#tour'))
start(client)
if (matchMedia('(width >= 1200px)').matches) await toggleConsole()
