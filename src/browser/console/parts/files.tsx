// Saving and opening files.
import type { RenderableProps } from 'preact'
import { useRef } from 'preact/hooks'
import { useConsole } from './context.ts'
import { Button } from './controls.tsx'

export function download(name: string, json: unknown): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([JSON.stringify(json, null, 2)], { type: 'application/json' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** @throws {Error} if the file is not JSON */
export const parseJsonFile = (file: File): Promise<unknown> =>
  new Response(file).json().catch(() => {
    throw new Error(`${file.name} is not a JSON file`)
  })

interface FileProps {
  /** Its errors are shown. */
  readonly read: (file: File) => unknown
}

export function FileButton({ accept, read, text }: FileProps & { accept: string; text: string }) {
  const { act } = useConsole()
  const input = useRef<HTMLInputElement>(null)
  const open = () => {
    const [file] = input.current?.files ?? []
    if (file) void act(() => Promise.resolve(file).then(read))
    if (input.current) input.current.value = ''
  }
  return (
    <>
      <Button onClick={() => input.current?.click()} text={text} />
      <input type="file" hidden accept={accept} aria-label={text} ref={input} onChange={open} />
    </>
  )
}

export function DropZone({ read, children, class: own }: RenderableProps<FileProps & { class: string }>) {
  const { act } = useConsole()
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer?.files[0]
    event.preventDefault()
    if (file) void act(() => Promise.resolve(file).then(read))
  }
  return (
    <div class={own} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      {children}
    </div>
  )
}
