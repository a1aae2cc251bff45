// Mounts the whole console in an element: its frame, the current view, and the context that all parts share.
import { render } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { LiveFeed } from './live.ts'
import { groupFaults, initialState, type SandboxName, type Scope } from './live-state.ts'
import { type Address, ConsoleContext, formatViewState, type Frame } from './parts/context.ts'
import { useConsole, type ViewId, viewNames, type ViewState } from './parts/context.ts'
import { EmptyState, type Tone } from './parts/blocks.tsx'
import { Button } from './parts/controls.tsx'
import { Forbidden, Header, useActions, useShortcuts } from './parts/frame.tsx'
import { nameOfSandbox, useScoped } from './parts/scope.tsx'
import { Panel, Tabs } from './parts/tabs.tsx'
import type { ConsoleSource } from './source.ts'
import styles from './style/index.css?inline'
import { FaultsView } from './views/faults/index.tsx'
import { JournalView } from './views/journal/index.tsx'
import { ReportView } from './views/report/index.tsx'
import { RunsView } from './views/runs/index.tsx'
import { SettingsView } from './views/settings/index.tsx'
import { StateView } from './views/state/index.tsx'
import { TimeView } from './views/time/index.tsx'

const views: Readonly<Record<ViewId, () => preact.VNode | null>> = {
  runs: () => <RunsView target="journal" />,
  journal: JournalView,
  report: ReportView,
  state: StateView,
  time: TimeView,
  faults: FaultsView,
  settings: SettingsView,
}

const viewsOfOne: ReadonlySet<ViewId> = new Set(['state', 'time', 'settings'])

/** @param home the view for an address that names none */
function useAddress(address: Address | undefined, home: { readonly current: ViewId | undefined }) {
  const [viewState, setViewState] = useState<ViewState>(() => address?.read() ?? {})
  const now = useRef(viewState)
  /** The last state of each view. */
  const left = useRef(new Map<string, ViewState>())
  // Not `useEffect`, which runs after the page is painted: an address that changes meanwhile would be missed.
  useLayoutEffect(() => {
    const read = () => setViewState((now.current = address?.read() ?? {}))
    return address?.listen(read)
  }, [address])
  const go: Frame['go'] = (change, isStep = true) => {
    const parts = Object.entries({ ...now.current, ...change }).filter(([, value]) => value !== undefined)
    const next = Object.fromEntries(parts) as ViewState
    const view = namedViewOf(now.current)
    // Removing the parameter that implied the view, such as the open request, does not leave the view.
    now.current = view !== undefined && namedViewOf(next) === undefined ? { ...next, view } : next
    setViewState(now.current)
    address?.write(now.current, isStep)
  }
  const show: Frame['show'] = (view, change = {}) => {
    const { sandbox } = now.current
    const former = viewOf(now.current, home.current)
    if (view !== former) {
      left.current.set(former, now.current)
      now.current = left.current.get(view) ?? {}
    }
    go(view === former ? change : { view, sandbox, ...change })
  }
  return { viewState, go, show }
}

const noEntry = { compare: undefined, arrival: undefined, gone: undefined }

function namedViewOf({ view, request, sandbox }: ViewState): ViewId | undefined {
  if (view !== undefined && Object.hasOwn(viewNames, view)) return view as ViewId
  return request !== undefined || sandbox !== undefined ? 'journal' : undefined
}

const viewOf = (state: ViewState, home: ViewId = 'journal'): ViewId => namedViewOf(state) ?? home

function Navigation({ view }: { view: ViewId }) {
  const { live, show, requests, viewState, hasAddress } = useConsole()
  const { findings, faults, runs, overview, status } = live
  const worst = findings.some(({ severity }) => severity === 'error') ? 'bad' : 'warn'
  const counts: Partial<Record<ViewId, readonly [count: number, tone?: Tone]>> = {
    runs: [runs.length > 1 ? runs.length : 0],
    journal: [status === 'loading' ? 0 : requests.length],
    report: [findings.length, worst],
    faults: [groupFaults(faults).length, 'accent'],
    settings: [overview.changedAnswers.length, 'accent'],
  }
  const tabs = Object.entries(viewNames).map(([id, label]) => {
    const [count, tone] = counts[id as ViewId] ?? []
    return { id, label, count, tone }
  })
  const { sandbox } = viewState
  const addressOf = hasAddress
    ? (id: string) => `./#${formatViewState({ view: id, ...(sandbox !== undefined && { sandbox }) })}`
    : undefined
  return (
    <nav aria-label="Console">
      <Tabs
        {...{ class: 'nav', label: 'Views', tabs, current: view }}
        addressOf={addressOf}
        onChange={(id) => show(id as ViewId)}
      />
    </nav>
  )
}

/** Says which sandboxes are shown, above the view. A view that needs a single sandbox asks for one. */
function ScopedView({ view }: { view: ViewId }) {
  const { live, isAll, isMissing, place, sandbox, go, show } = useConsole()
  const View = views[view]
  const [showAll, choose] = [() => go({ sandbox: undefined }), () => show('runs')]
  // Reading a sandbox that was deleted, or never existed, would create it.
  if (isMissing) {
    const actions = [
      <Button onClick={showAll} text="Show all" />,
      <Button onClick={choose} text="Choose a sandbox" />,
    ]
    return (
      <EmptyState title={`There is no sandbox ${nameOfSandbox(sandbox)}`} action={actions}>
        It was deleted, or no request has named it yet.
      </EmptyState>
    )
  }
  // This view lists all sandboxes, whichever is shown.
  if (place === '' || view === 'runs') return <View />
  const label = isAll ? null : live.runs.find(({ name }) => name === sandbox)?.label
  const isAsking = isAll && viewsOfOne.has(view)
  return (
    <>
      {isAsking && <h3 class="section">This view shows one sandbox at a time. Which one?</h3>}
      {isAsking ? <RunsView target={view} /> : <View />}
      <p class="scope">
        <span>
          Shows <b>{place}</b>
          {label != null && <span class="aside"> {label}</span>}
          {!isAsking && `; buttons act on ${isAll ? 'each of them' : 'it only'}.`}
        </span>
        {!isAll && <Button class="link" onClick={showAll} text="Show all" />}
        <Button class="link" onClick={choose} text="Choose a sandbox" />
      </p>
    </>
  )
}

type AppProps = Readonly<{ source: ConsoleSource; address: Address | undefined; host: HTMLElement }>

function App({ source, address, host }: AppProps) {
  const drafts = useMemo(() => new Map<string, unknown>(), [source])
  /** Decided when the console is opened, and kept while sandboxes come and go. */
  const home = useRef<ViewId | undefined>(undefined)
  const { viewState, go, show } = useAddress(address, home)
  const { request, sandbox } = viewState
  const scope: Scope = sandbox === '' ? null : sandbox
  const [live, setLive] = useState(initialState)
  const feed = useMemo(() => new LiveFeed(source, setLive), [source])
  feed.select(scope)
  useEffect(() => {
    feed.start()
    return () => feed.stop()
  }, [feed])
  if (live.runs.length > 0) home.current ??= live.runs.length > 1 ? 'runs' : 'journal'
  const view = viewOf(viewState, home.current)
  const { perform, shown } = useActions(() => feed.refresh())
  const openEntry: Frame['openEntry'] = (row, change = {}) => {
    const opened = { request: row ? String(row.id) : undefined, from: row?.sandbox ?? undefined }
    show(row ? 'journal' : view, { ...opened, ...noEntry, ...change })
  }
  const clearRequests = async (of: SandboxName) => {
    await source.controls(of).clearRequests()
    feed.forget(of)
  }
  const hasAddress = address !== undefined
  const acts = { go, show, openEntry, perform, clearRequests }
  const frame: Frame = { source, live, viewState, drafts, hasAddress, ...acts }
  const shared = useScoped(frame, scope === undefined ? undefined : [scope])
  const what = request === undefined || view !== 'journal' ? viewNames[view] : `Request ${request}`
  const title = [what, sandbox, 'Mock console'].filter(Boolean).join(' · ')
  useEffect(() => address?.title(title), [title])
  // A page with the console in it has its own main landmark.
  const Tag = address ? 'main' : 'div'
  const help = useShortcuts(address ? document : host, host)
  return (
    <ConsoleContext.Provider value={shared}>
      <div class="console">
        {live.status === 'forbidden' ? (
          <Forbidden tag={Tag} />
        ) : (
          <div class="frame">
            <Navigation view={view} />
            <Tag class="main">
              <Panel id={view}>
                <h2 class="visually-hidden">{viewNames[view]}</h2>
                {/* A mock that does not respond cannot be changed; its requests can still be read. */}
                <fieldset class="contents" disabled={live.status === 'lost' && view !== 'journal'}>
                  {(live.readAtMs > 0 || view === 'journal' || shared.isMissing) && (
                    <ScopedView view={view} key={sandbox} />
                  )}
                </fieldset>
              </Panel>
            </Tag>
          </div>
        )}
        {help}
        {shown}
        {/* Last in the document, so that Tab reaches the requests first; shown at the top. */}
        <Header />
      </div>
    </ConsoleContext.Provider>
  )
}

/**
 * Mounts a console in an element, in a shadow tree that isolates its styles from the page's.
 * @returns a function that removes it
 */
export function mount(element: HTMLElement, source: ConsoleSource, address?: Address): () => void {
  const host = document.createElement('div')
  host.className = 'workspace-api-mock-console'
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets = [sheet]
  element.append(host)
  render(<App source={source} address={address} host={host} />, root)
  return () => {
    render(null, root)
    host.remove()
  }
}
