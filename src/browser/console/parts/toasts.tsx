// Short messages about results of actions, some with a button that undoes the action.
import { useState } from 'preact/hooks'
import { messageOf } from '../../../contract/text/format.ts'
import { type Console, ShownError } from './context.ts'
import { Button } from './controls.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly isProblem: boolean
  readonly undo?: (() => unknown) | undefined
}

const toastMs = 4000
/** As long as somebody needs to see what was lost. */
const undoMs = 15_000
let lastToast = 0

/** Performs actions on the mock, and reports their results. `refresh` reads what they changed. */
export function useActions(refresh: () => Promise<void>) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const close = (id: number) => setToasts((before) => before.filter((toast) => toast.id !== id))
  const say = (toast: Omit<Toast, 'id'>) => {
    const id = (lastToast += 1)
    // One state can be undone: the latest.
    const keep = ({ undo }: Toast) => !undo || !toast.undo
    setToasts((before) => [...before.filter(keep).slice(-2), { ...toast, id }])
    setTimeout(() => close(id), toast.undo ? undoMs : toastMs)
  }
  const act: Console['act'] = async (action, done, undo) => {
    try {
      await action()
      const undoAction = undo && (() => act(undo, 'Undone.'))
      if (done !== undefined) say({ text: done, isProblem: false, undo: undoAction })
      return true
    } catch (error) {
      if (!(error instanceof ShownError)) say({ text: messageOf(error), isProblem: true })
      return false
    } finally {
      await refresh()
    }
  }
  const shown = (
    <div class="toasts" role="status">
      {toasts.map(({ id, text, isProblem, undo }) => (
        <p key={id} class={isProblem ? 'problem' : ''} onClick={() => close(id)}>
          {text}
          {undo && <Button class="link" onClick={undo} text="Undo" />}
        </p>
      ))}
    </div>
  )
  return { act, shown }
}
