// The address of a page that holds only the console. Its fragment says what is shown.
import { type Address, formatViewState } from './parts/context.ts'

const sheet = new CSSStyleSheet()
sheet.replaceSync('html, body { height: 100%; margin: 0; overflow: hidden }')
document.adoptedStyleSheets = [sheet]

export const address: Address = {
  read: () => {
    const hash = location.hash.slice(1)
    // A fragment can be just the name of a view.
    return /^\w+$/.test(hash) ? { view: hash } : Object.fromEntries(new URLSearchParams(hash))
  },
  write: (viewState, isStep) => {
    const url = `#${formatViewState(viewState)}`
    if (isStep) history.pushState(null, '', url)
    else history.replaceState(null, '', url)
  },
  listen: (listener) => {
    addEventListener('popstate', listener)
    return () => removeEventListener('popstate', listener)
  },
  title: (text) => {
    document.title = text
  },
}
