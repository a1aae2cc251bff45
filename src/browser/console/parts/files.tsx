// Saving and opening files.
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

interface JsonFileProps {
  readonly children: string
  readonly onRead: (json: unknown, name: string) => void | Promise<void>
}

/** Opens a JSON file, chosen or dropped; shows a message for a file that is not JSON. */
export function JsonFile({ children, onRead }: JsonFileProps) {
  const { act } = useConsole()
  const input = useRef<HTMLInputElement>(null)
  const read = (file: File | null | undefined) => {
    if (!file) return
    void act(async () => {
      const json: unknown = await new Response(file).json().catch(() => {
        throw new Error(`${file.name} is not a JSON file`)
      })
      await onRead(json, file.name)
    })
  }
  return (
    <div
      class="drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        read(event.dataTransfer?.files[0])
      }}
    >
      <Button onClick={() => input.current?.click()}>{children}</Button>
      <span class="aside">or drop it here</span>
      <input
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={children}
        ref={input}
        onChange={(event) => {
          read(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}
