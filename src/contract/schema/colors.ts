// Colours of spaces, lists, statuses and options.
import * as z from 'zod/mini'

const hexColor = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

export const colorShape = 'a hex colour such as #08f or #0088ff'
/** Assumption: colors */
export const Color = z.string().check(z.regex(hexColor, `must be ${colorShape}`))
export const isColor = (text: string): boolean => hexColor.test(text)

/** The default colour. Assumption: colors */
export const neutralColor = '#6b7280'
export const colorNote = 'Hex colour: `#rgb` or `#rrggbb`.'
