// The app: its header and the current page.
import { useState } from 'preact/hooks'
import { Board } from './board.tsx'
import type { Client } from './client.ts'
import { Importer } from './importer.tsx'
import { Failure, useLoaded } from './parts.tsx'
import { Tables } from './tables.tsx'

const pages = { tables: 'Tables', import: 'Import', board: 'Board' }
type Page = keyof typeof pages

const isPage = (text: string): text is Page => Object.hasOwn(pages, text)

export interface AppProps {
  readonly client: Client
  /** Shows or hides the mock's console. */
  readonly onConsole: () => void
  readonly onReset: () => void
}

export function App({ client, onConsole, onReset }: AppProps) {
  const [page, setPage] = useState<Page>(
    isPage(location.hash.slice(1)) ? (location.hash.slice(1) as Page) : 'tables',
  )
  const [table, setTable] = useState<string | null>(null)
  const identity = useLoaded(() => client.identity(), [])
  const tables = useLoaded(() => client.tables(), [page])
  const go = (next: Page) => {
    setPage(next)
    history.replaceState(null, '', `#${next}`)
  }
  const failure = identity.failure ?? tables.failure
  return (
    <div class="app">
      <header>
        <p class="brand">Stockroom</p>
        <nav aria-label="Pages of the app">
          {Object.entries(pages).map(([id, label]) => (
            <a
              key={id}
              href={`#${id}`}
              aria-current={id === page ? 'page' : undefined}
              onClick={(event) => {
                event.preventDefault()
                if (isPage(id)) go(id)
              }}
            >
              {label}
            </a>
          ))}
        </nav>
        <p class="workspace">{identity.value?.workspace.name}</p>
        <button type="button" class="plain" onClick={onReset}>
          Start over
        </button>
        <button type="button" class="plain" onClick={onConsole}>
          Mock console
        </button>
      </header>
      <main>
        {failure !== null && <Failure>{failure}</Failure>}
        {tables.value && page === 'tables' && (
          <Tables
            client={client}
            tables={tables.value}
            members={identity.value?.members ?? []}
            chosen={table}
            onChoose={setTable}
          />
        )}
        {tables.value && page === 'import' && (
          <Importer
            client={client}
            tables={tables.value}
            onDone={(target) => {
              setTable(target)
              go('tables')
            }}
          />
        )}
        {page === 'board' && <Board client={client} />}
      </main>
    </div>
  )
}
