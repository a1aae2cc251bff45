// Owns the console's style sheet as a whole.
import { controls } from './controls.ts'
import { frame } from './frame.ts'
import { grids } from './grids.ts'
import { journal } from './journal.ts'
import { narrow } from './narrow.ts'
import { sheets } from './sheets.ts'
import { state } from './state.ts'
import { text } from './text.ts'
import { tokens } from './tokens.ts'
import { views } from './views.ts'

export const styles = [tokens, text, frame, sheets, controls, journal, grids, state, views, narrow].join('\n')
