// Undoes what no request can, such as a reset or a clock move: restores a snapshot unless the state changed since.
import type { SandboxName } from '../live-state.ts'
import type { SandboxControls } from '../source.ts'
import type { Console, ScopedRun, Undo } from './context.ts'

const prefix = 'undo-'

export const isOfUndo = (snapshot: string) => snapshot.startsWith(prefix)

/** The state as text, without the time of a running clock or the windows that count requests. */
async function readState(controls: SandboxControls): Promise<string> {
  const { clock, runtime, ...content } = await controls.snapshot()
  const { mode } = clock as { readonly mode: string }
  const counters = { ...(runtime as object), windows: undefined }
  return JSON.stringify({ ...content, mark: undefined, counters, clock: mode === 'system' ? mode : clock })
}

/** @param lost what the action removes in addition to the state */
export function prepareUndo({ each, source }: Pick<Console, 'each' | 'source'>, lost: string | undefined) {
  // Random, because another console can act at the same time.
  const name = prefix + Math.random().toString(36).slice(2, 10)
  const after = new Map<SandboxName, string>()
  let isTaken = false
  const removeSnapshots = () =>
    each(async (controls, sandbox) => {
      if (after.has(sandbox)) await controls.snapshots.delete(name).catch(() => undefined)
    })
  const act = (run: ScopedRun) =>
    each(async (controls, sandbox) => {
      await controls.snapshots.save(name)
      after.set(sandbox, '')
      await run(controls, sandbox)
      after.set(sandbox, await readState(controls))
    })
  const undo: Undo = {
    done: `Undone: state and clock are as before${lost === undefined ? '' : `; ${lost} are not`}.`,
    async run() {
      isTaken = true
      const names = await source.controls(null).sandboxes()
      const deleted = [...after.keys()].find((sandbox) => sandbox !== null && !names.includes(sandbox))
      if (deleted != null) throw new Error(`Not undone: sandbox ${deleted} has since been deleted.`)
      await each(async (controls, sandbox) => {
        if ((await readState(controls)) === after.get(sandbox)) return
        const where = sandbox === null ? '' : ` of sandbox ${sandbox}`
        const isThere = await controls.snapshots.read(name).then(Boolean, () => false)
        const kept = isThere ? ` The earlier state is kept under State, as snapshot ${name}.` : ''
        throw new Error(
          `Not undone: the state${where} has changed since, and those changes would be lost.${kept}`,
        )
      })
      await each((controls) => controls.snapshots.restore(name))
      await removeSnapshots()
    },
    forget() {
      if (!isTaken) removeSnapshots().catch(() => undefined)
    },
  }
  return { act, undo }
}
