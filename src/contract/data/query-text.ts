// Reads the query of an address.

/** The parameters of a query without its question mark. The time of Node's parser grows with the square of plus signs. */
export const parseQueryText = (query: string): URLSearchParams =>
  new URLSearchParams(query.includes('+') ? query.split('+').join(' ') : query)
