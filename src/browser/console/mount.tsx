// Mounts a console in an element, in a shadow tree, which isolates its styles from those of the page.
import { render } from 'preact'
import { App } from './app.tsx'
import type { Address } from './parts/context.ts'
import type { ConsoleSource } from './source.ts'
import styles from './style/index.css?inline'

/** @returns a function that removes the console */
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
