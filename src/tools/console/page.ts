// The console page of the standalone server; the address says what is shown.
import { mount } from './app.tsx'
import { createHttpSource, tokenName } from './http-source.ts'
import { type Address, formatViewState } from './parts/context.ts'

const sheet = new CSSStyleSheet()
sheet.replaceSync('html, body { height: 100%; margin: 0; overflow: hidden }')
document.adoptedStyleSheets = [sheet]

const address: Address = {
  read: () => {
    const hash = location.hash.slice(1)
    // A view alone is its name.
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

const { token, ...viewState } = address.read()
const source = createHttpSource(location.origin, token ?? sessionStorage.getItem(tokenName))
const setToken = (text: string) => {
  // A reload finds it there; the address does not keep it.
  sessionStorage.setItem(tokenName, text)
  source.token?.set(text)
}
if (token !== undefined) {
  setToken(token)
  address.write(viewState, false)
}
const access = source.token && { token: { ...source.token, set: setToken } }
mount(document.body, { ...source, ...access }, address)
