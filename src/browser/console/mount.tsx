// Owns the putting of a console into an element: in a shadow tree, so that neither its styles nor the page's leak.
import { render } from 'preact'
import { App } from './app.tsx'
import type { ViewId } from './parts/context.ts'
import type { ConsoleSource } from './source.ts'
import { styles } from './style/index.ts'

export interface MountOptions {
  readonly start?: ViewId | undefined
  /** Told of the view that is shown. */
  readonly onView?: (view: ViewId) => void
}

/** @returns what takes the console away again */
export function mount(
  element: HTMLElement,
  source: ConsoleSource,
  { start = 'journal', onView }: MountOptions = {},
): () => void {
  const host = document.createElement('div')
  host.className = 'workspace-api-mock-console'
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]
  element.append(host)
  render(<App source={source} start={start} host={host} {...(onView ? { onView } : {})} />, root)
  return () => {
    render(null, root)
    host.remove()
  }
}
