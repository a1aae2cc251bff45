// Limits how often a function runs.

/** Runs at once, then at most once per interval, and once more if it was called in between. */
export function throttle(run: () => Promise<void> | void, everyMs: number): { (): void; stop(): void } {
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
