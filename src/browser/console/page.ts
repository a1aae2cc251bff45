// The console page of the standalone server; the address says what is shown.
import { mount } from './app.tsx'
import { createHttpSource, tokenName } from './http-source.ts'
import { type Address, formatViewState, parseViewState } from './parts/context.ts'

const sheet = new CSSStyleSheet()
sheet.replaceSync('html, body { height: 100%; margin: 0; overflow: hidden }')
document.adoptedStyleSheets = [sheet]

/** Moves the token from the address to the session storage, where a reload finds it. */
function takeToken(): void {
  const { token, ...viewState } = parseViewState(location.hash.slice(1))
  if (token === undefined) return
  sessionStorage.setItem(tokenName, token)
  history.replaceState(null, '', `#${formatViewState(viewState)}`)
}
takeToken()

const address: Address = {
  read: () => parseViewState(location.hash.slice(1)),
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

const source = createHttpSource(location.origin, sessionStorage.getItem(tokenName))
const setToken = (token: string) => {
  sessionStorage.setItem(tokenName, token)
  source.setToken?.(token)
}
mount(document.body, { ...source, setToken }, address)
