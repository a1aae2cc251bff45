// The order of texts and numbers.

/** Texts by code units, as a sort without a comparison has them; numbers by value. */
export const compareText = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)
