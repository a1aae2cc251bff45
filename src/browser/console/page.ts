// Owns the console page of the standalone server: the view in the address, so that a reload stays where it was.
import { isViewId } from './app.tsx'
import { createHttpSource } from './http-source.ts'
import { mount } from './mount.tsx'

const sheet = new CSSStyleSheet()
sheet.replaceSync('html, body { height: 100%; margin: 0; overflow: hidden }')
document.adoptedStyleSheets = [sheet]

const wanted = location.hash.slice(1)
const tokenName = 'x-mock-token'
const linked = new URLSearchParams(wanted).get('token')
// A reload finds the token again, which leaves the address at once.
if (linked !== null) {
  sessionStorage.setItem(tokenName, linked)
  history.replaceState(null, '', location.pathname)
}

mount(document.body, createHttpSource(location.origin, sessionStorage.getItem(tokenName)), {
  start: isViewId(wanted) ? wanted : undefined,
  onView: (view) => {
    history.replaceState(null, '', `#${view}`)
  },
})
