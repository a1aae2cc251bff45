// Owns the console's style sheet as a whole.
import { controls } from './controls.ts'
import { frame } from './frame.ts'
import { journal } from './journal.ts'
import { narrow } from './narrow.ts'
import { tokens } from './tokens.ts'
import { views } from './views.ts'

export const styles = [tokens, frame, controls, journal, views, narrow].join('\n')
