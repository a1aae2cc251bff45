// Loads the code for effects once, on first use; most mocks never do. With loader hooks, each import takes real time,
// and the clock of a run must not move in the meantime.
let effects: Promise<typeof import('./effects.ts')> | undefined

export const loadEffects = () => (effects ??= import('./effects.ts'))
