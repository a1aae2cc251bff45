// The console page of the standalone server; the address says what is shown.
import { mount } from './app.tsx'
import { createHttpSource, tokenName } from './http-source.ts'
import { address } from './address.ts'

const { token, ...viewState } = address.read()
const source = createHttpSource(location.origin, token ?? sessionStorage.getItem(tokenName))
const setToken = (text: string) => {
  // Kept here for a reload, since the address drops it.
  sessionStorage.setItem(tokenName, text)
  source.token?.set(text)
}
if (token !== undefined) {
  setToken(token)
  address.write(viewState, false)
}
const access = source.token && { token: { ...source.token, set: setToken } }
mount(document.body, { ...source, ...access }, address)
