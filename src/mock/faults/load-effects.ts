// Loads the code of effects on first use, and once: most mocks have no such fault, and with loader hooks each import takes
// real time, in which the clock of a run must not move.
let effects: Promise<typeof import('./effects.ts')> | undefined

export const loadEffects = () => (effects ??= import('./effects.ts'))
