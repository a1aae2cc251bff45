// Limits how often a function runs, and how many run at the same time.

/** Runs at once, then at most once per interval, and once more if it was called in between. */
export function throttled(run: () => Promise<void> | void, everyMs: number): { (): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  const go = async () => {
    isWanted = false
    await run()
    timer = setTimeout(() => {
      timer = undefined
      if (isWanted) ask()
    }, everyMs)
  }
  const ask = () => {
    isWanted = true
    timer ??= setTimeout(() => void go())
  }
  return Object.assign(ask, {
    stop: () => {
      clearTimeout(timer)
      timer = undefined
      isWanted = false
    },
  })
}

/** Few, so that a client's request can run in between. */
const batchSize = 6

export async function inBatches<T>(items: Iterable<T>, run: (item: T) => Promise<void>): Promise<void> {
  const all = [...items]
  for (let at = 0; at < all.length; at += batchSize) await Promise.all(all.slice(at, at + batchSize).map(run))
}
