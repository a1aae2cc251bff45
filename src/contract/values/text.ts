// The order of texts and numbers, and how numbers are written in sentences.

/** Texts by code units, as a sort without a comparison has them; numbers by value. */
export const compareText = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** 50000 as 50,000. `toLocaleString` would load the data of languages first, a fifth of the time to import. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
