// The scope of the console: the sandboxes that it shows, and that its buttons act on.
import type { RenderableProps } from 'preact'
import { useMemo } from 'preact/hooks'
import type { SandboxName, Scope } from '../live-state.ts'
import { type Console, ConsoleContext, type Frame, useConsole } from './context.ts'
import { prepareUndo } from './undo.ts'

export const nameOfSandbox = (name: SandboxName) => name ?? 'main'

export const scopeStateOf = (scope: Scope) => ({ sandbox: scope === null ? '' : scope })

/** The console for these sandboxes; undefined means all. */
export function useScoped(frame: Frame, given: readonly SandboxName[] | undefined): Console {
  const { live, source, perform } = frame
  const names = given ?? (live.runs.length > 1 ? live.runs.map(({ name }) => name) : [null])
  const [sandbox = null] = names
  const isAll = names.length > 1
  const isMissing = live.runs.length > 0 && !isAll && !live.runs.some(({ name }) => name === sandbox)
  const main = live.runs.length > 1 ? 'the main sandbox' : ''
  const one = sandbox === null ? main : `sandbox ${sandbox}`
  const all = names.length === live.runs.length ? 'all ' : ''
  const place = isAll ? `${all}${String(names.length)} sandboxes` : one
  const requests = useMemo(
    () => (given ? live.requests.filter((row) => names.includes(row.sandbox)) : live.requests),
    // Undefined (all sandboxes) and null (the main one) are different scopes.
    [live.requests, JSON.stringify(given)],
  )
  const each: Console['each'] = async (run) => {
    const results: Awaited<ReturnType<typeof run>>[] = []
    for (const name of names) results.push(await run(source.controls(name), name))
    return results
  }
  const list: Console['list'] = async (read) =>
    (await each(async (own, of) => (await read(own)).map((item) => ({ ...item, sandbox: of })))).flat()
  const act: Console['act'] = (run, { done, canUndo = false, lost, undo: takeBack } = {}) => {
    const isText = typeof done === 'string'
    const message = isAll && isText && !done.includes(place) ? `${done} In ${place}.` : done
    if (!canUndo) return perform(() => each((...of) => Promise.resolve(run(...of))), message, takeBack)
    const { act: runAll, undo } = prepareUndo({ each, source }, lost)
    const remark = lost === undefined ? '' : ` Undo restores the state, but not ${lost}.`
    return perform(
      () => runAll(run),
      typeof message === 'string' ? message + remark : message,
      () => undo,
    )
  }
  const controls = source.controls(sandbox)
  return { ...frame, names, isAll, isMissing, place, sandbox, controls, requests, each, list, act }
}

/** Sets the scope of its children, whatever is shown around them. */
export function InSandboxes({ names, children }: RenderableProps<{ names: readonly SandboxName[] }>) {
  return <ConsoleContext.Provider value={useScoped(useConsole(), names)}>{children}</ConsoleContext.Provider>
}
