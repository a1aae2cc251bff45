// Parses query strings.

/** Parses a query string without its question mark. Node's parser takes quadratic time in the number of plus signs. */
export const parseQueryText = (query: string): URLSearchParams =>
  new URLSearchParams(query.includes('+') ? query.split('+').join(' ') : query)
