// The order of texts and numbers, letter case in searches, the form of numbers in sentences, and the words of what was thrown.

/** Compares texts by code units, as a sort without a comparison does, and numbers by value. */
export const compareText = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

export const lowerCase = (text: string): string => text.toLowerCase()
const asIs = (text: string): string => text

/** What texts are compared by in searches. Assumption: queryText */
export const foldFor = ({ queryText }: { readonly queryText: 'insensitive' | 'sensitive' }) =>
  queryText === 'sensitive' ? asIs : lowerCase

/** 50000 as 50,000. `toLocaleString` would load language data first, a fifth of the import time. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
