// Where the browsers of the tests are, and how Chromium starts.
import { existsSync } from 'node:fs'

const findBrowser = (given: string | undefined, usualPlaces: readonly string[]) =>
  (given === undefined ? usualPlaces : [given]).find((place) => existsSync(place))

/** The path of Chromium on this machine; undefined if there is none, or if CHROMIUM_PATH names none. */
export const chromiumPath = findBrowser(process.env.CHROMIUM_PATH, [
  // The same engine without windows and their user interface: the journeys take half the processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
])

/** The path of Firefox on this machine; undefined if there is none, or if FIREFOX_PATH names none. */
export const firefoxPath = findBrowser(process.env.FIREFOX_PATH, [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
])

/** Chromium runs as root in CI, and must not contact anyone. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
