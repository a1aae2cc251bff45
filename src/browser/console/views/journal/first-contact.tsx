// The empty journal: a first request to send or copy as curl, the keys, and the OpenAPI document.
import { useConsole } from '../../parts/context.ts'
import { Button, CopyButton } from '../../parts/controls.tsx'
import { download } from '../../parts/files.tsx'
import { Empty } from '../../parts/pane.tsx'

const keysShown = 4

export function FirstContact() {
  const { source, live, act, sandbox: name } = useConsole()
  const keys = live.overview?.workspaces.flatMap((workspace) => workspace.keys) ?? []
  const authorization = `Bearer ${keys[0]?.id ?? ''}`
  const sandbox: Record<string, string> = name !== null ? { 'X-Mock-Sandbox': name } : {}
  const headers = { Authorization: authorization, ...sandbox }
  const curl = [
    `curl ${source.baseUrl}/me`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
  ].join(' \\\n  ')
  return (
    <Empty title="No request yet">
      <p>Requests to {source.baseUrl} appear here at once, with both bodies and what they changed.</p>
      <div class="row">
        <Button
          kind="primary"
          onClick={() => act(() => source.send(new Request(`${source.baseUrl}/me`, { headers })))}
        >
          Send a first request
        </Button>
        <CopyButton text={() => curl}>Copy as curl</CopyButton>
        <Button onClick={() => act(async () => download('openapi.json', await source.openApi()))}>
          OpenAPI document
        </Button>
      </div>
      <pre tabIndex={0}>{curl}</pre>
      <div class="row">
        {keys.slice(0, keysShown).map(({ id, name, kind }) => (
          <CopyButton key={id} kind="quiet" text={() => id} label={`Copy key ${id}`}>
            <code>{id}</code> <span class="aside">{name === kind ? kind : `${name}, ${kind}`}</span>
          </CopyButton>
        ))}
      </div>
    </Empty>
  )
}
