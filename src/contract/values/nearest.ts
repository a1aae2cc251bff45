// The name nearest to a misspelled one.

/** Edit distance, letter case aside. */
function distance(left: string, right: string): number {
  const [from, to] = [left.toLowerCase(), right.toLowerCase()]
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** The candidate most like the name as received; `textOf` says what of a candidate is compared. */
export function nearest<T>(
  received: string,
  candidates: readonly T[],
  textOf: (candidate: T) => string,
): T | undefined {
  // Without the cut a hostile name would cost time in proportion to its length.
  const name = received.slice(0, 120)
  let best: T | undefined
  let least = Infinity
  for (const candidate of candidates) {
    const apart = distance(name, textOf(candidate))
    if (apart >= least) continue
    least = apart
    best = candidate
  }
  return best
}
