// Saving and opening files.
import type { RenderableProps } from 'preact'
import { useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { useConsole } from './context.ts'

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
  readonly onRead: (file: File) => unknown
}

interface FileButtonProps extends FileProps {
  readonly accept: string
  readonly children: string
}

/** Opens a file that is chosen. */
export function FileButton({ children, accept, onRead }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button onClick={() => input.current?.click()}>{children}</Button>
      <input
        type="file"
        hidden
        accept={accept}
        aria-label={children}
        ref={input}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) onRead(file)
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

/** Opens files that are dropped on its children. */
export function DropZone({
  onRead,
  children,
  class: own,
}: RenderableProps<FileProps & { readonly class: string }>) {
  return (
    <div
      class={own}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        const file = event.dataTransfer?.files[0]
        event.preventDefault()
        if (file) onRead(file)
      }}
    >
      {children}
    </div>
  )
}

interface JsonFileProps {
  readonly children: string
  readonly onRead: (json: unknown, name: string) => void | Promise<void>
}

/** Opens a JSON file, chosen or dropped; shows a message for a file that is not JSON. */
export function JsonFile({ children, onRead }: JsonFileProps) {
  const { act } = useConsole()
  const read = (file: File) => act(async () => onRead(await parseJsonFile(file), file.name))
  return (
    <DropZone class="drop" onRead={read}>
      <FileButton accept=".json,application/json" onRead={read}>
        {children}
      </FileButton>
      <span class="aside">or drop it here</span>
    </DropZone>
  )
}
