// Creates many similar values.

/** What `make` returns for 0, 1, … `count` - 1. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
