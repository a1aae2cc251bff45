// Chromium for the tests: Debian's, or Chrome.
import { existsSync } from 'node:fs'

const usualPlaces = [
  // The same engine without windows and their user interface: the journeys take half the processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const { CHROMIUM_PATH: givenPlace } = process.env

/** The path of Chromium on this machine; undefined if there is none, or if CHROMIUM_PATH names none. */
export const chromiumPath = (givenPlace === undefined ? usualPlaces : [givenPlace]).find((place) =>
  existsSync(place),
)

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
