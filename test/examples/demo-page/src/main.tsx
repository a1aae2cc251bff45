// The start of the demo: the mock first, then an app that knows nothing of it.
import { render } from 'preact'
import { createWorkspaceMock } from 'workspace-api-mock'
import { mountConsole, startWorker, type MountedConsole } from 'workspace-api-mock/browser'
import { App } from './app.tsx'
import { createClient } from './client.ts'

const mock = createWorkspaceMock({ fixture: 'demo', clock: 'system' })
const { reset } = await startWorker(mock, { persist: 'demo-page', quiet: true })

const root = document.querySelector<HTMLElement>('#app')
if (!root) throw new Error('the page has no element #app')
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

render(
  <App
    client={createClient(mock.baseUrl, mock.keys['master'] ?? '')}
    onConsole={() => void toggleConsole()}
    onReset={() => void reset().then(() => location.reload())}
  />,
  root,
)
