// The empty journal: a first request to send or copy as curl, the keys, and the OpenAPI document.
import { useConsole } from '../../parts/context.ts'
import { Action, CopyButton } from '../../parts/controls.tsx'
import { download } from '../../parts/files.tsx'
import { Empty } from '../../parts/pane.tsx'

const keysShown = 4

export function FirstContact() {
  const { source, live, sandbox } = useConsole()
  const keys = live.overview.workspaces.flatMap((workspace) => workspace.keys)
  const headers = {
    Authorization: `Bearer ${keys[0]?.id ?? ''}`,
    ...(sandbox !== null && { 'X-Mock-Sandbox': sandbox }),
  }
  const curl = [
    `curl ${source.baseUrl}/me`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
  ].join(' \\\n  ')
  return (
    <Empty
      title="No request yet"
      action={
        <>
          <div class="row">
            <Action kind="primary" run={() => source.send(new Request(`${source.baseUrl}/me`, { headers }))}>
              Send a first request
            </Action>
            <CopyButton text={() => curl}>Copy as curl</CopyButton>
            <Action run={async () => download('openapi.json', await source.openApi())}>
              OpenAPI document
            </Action>
          </div>
          <pre tabIndex={0}>{curl}</pre>
          <div class="row">
            {keys.slice(0, keysShown).map(({ id, name, kind }) => (
              <CopyButton key={id} kind="quiet" text={() => id} label={`Copy key ${id}`}>
                <code>{id}</code> <span class="aside">{name === kind ? kind : `${name}, ${kind}`}</span>
              </CopyButton>
            ))}
          </div>
        </>
      }
    >
      Requests to {source.baseUrl} appear here at once, with both bodies and what they changed.
    </Empty>
  )
}
