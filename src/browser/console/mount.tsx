// Puts a console into an element: in a shadow tree, so that neither its styles nor the page's leak.
import { render } from 'preact'
import { App } from './app.tsx'
import type { Address } from './parts/place.ts'
import type { ConsoleSource } from './source.ts'
import styles from './style/index.css?inline'

/** @returns what takes the console away again */
export function mount(element: HTMLElement, source: ConsoleSource, address?: Address): () => void {
  const host = document.createElement('div')
  host.className = 'workspace-api-mock-console'
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]
  element.append(host)
  render(<App source={source} address={address} host={host} />, root)
  return () => {
    render(null, root)
    host.remove()
  }
}
