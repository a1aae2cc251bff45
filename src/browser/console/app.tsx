// The whole console: its frame, the current view, and what all its parts share.
import type { RenderableProps } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { LiveFeed } from './live.ts'
import { initialState, type SandboxName, type Scope } from './live-state.ts'
import { Banner } from './parts/banner.tsx'
import { type Address, type Console, type ViewId, type ViewState } from './parts/context.ts'
import { ConsoleContext, isViewId, useConsole, viewNames } from './parts/context.ts'
import { Button } from './parts/controls.tsx'
import { Header } from './parts/header.tsx'
import { handleShortcut, Help } from './parts/keyboard.tsx'
import { scopeOf, useScope } from './parts/scope.tsx'
import { Panel, type Tab, Tabs } from './parts/tabs.tsx'
import { useActions } from './parts/toasts.tsx'
import type { ConsoleSource } from './source.ts'
import { FaultsView } from './views/faults/faults.tsx'
import { JournalView } from './views/journal/journal.tsx'
import { ReportView } from './views/report/report.tsx'
import { RunsView } from './views/runs.tsx'
import { SettingsView } from './views/settings/settings.tsx'
import { StateView } from './views/state/state.tsx'
import { TimeView } from './views/time/time.tsx'

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

function useLive(source: ConsoleSource, scope: Scope) {
  const [live, setLive] = useState(initialState)
  const feed = useMemo(() => new LiveFeed(source, setLive), [source])
  feed.select(scope)
  useEffect(() => {
    feed.start()
    return () => feed.stop()
  }, [feed])
  return { live, feed }
}

/** The view state, stored in the address if there is one. `home` is the view without a name. */
function useAddress(address: Address | undefined, home: { readonly current: ViewId }) {
  const [viewState, setViewState] = useState<ViewState>(() => address?.read() ?? {})
  const now = useRef(viewState)
  /** The last state of each view, to return to. */
  const left = useRef(new Map<string, ViewState>())
  // Not `useEffect`, which runs after the page is painted: an address that changes meanwhile would be missed.
  useLayoutEffect(() => {
    const read = () => setViewState((now.current = address?.read() ?? {}))
    return address?.listen(read)
  }, [address])
  const go: Console['go'] = (change, isStep = true) => {
    const parts = Object.entries({ ...now.current, ...change }).filter(([, value]) => value !== undefined)
    now.current = Object.fromEntries(parts) as ViewState
    setViewState(now.current)
    address?.write(now.current, isStep)
  }
  const show: Console['show'] = (view, change = {}) => {
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

function viewOf({ view, request, sandbox }: ViewState, home: ViewId): ViewId {
  if (isViewId(view)) return view
  return request !== undefined || sandbox !== undefined ? 'journal' : home
}

function Navigation({ view }: { view: ViewId }) {
  const { live, show } = useConsole()
  const { requests } = useScope()
  const { findings, faults, runs, overview, status } = live
  const worst = findings.some(({ severity }) => severity === 'error') ? 'bad' : 'warn'
  const counts: Partial<Record<ViewId, number | undefined>> = {
    runs: runs.length > 1 ? runs.length : undefined,
    journal: status === 'loading' ? undefined : requests.length,
    report: findings.length,
    faults: faults.length,
    settings: overview.changedAnswers.length,
  }
  const tabs = Object.entries(viewNames).map(([id, label]): Tab => ({
    id,
    label,
    count: counts[id as ViewId],
    tone: id === 'report' ? worst : id === 'journal' || id === 'runs' ? undefined : 'accent',
  }))
  return (
    <nav aria-label="Console">
      <Tabs class="nav" label="Views" tabs={tabs} current={view} onChange={(id) => show(id as ViewId)} />
    </nav>
  )
}

function SandboxChoice({ view }: { view: ViewId }) {
  return (
    <>
      <h3 class="section">{viewNames[view]} is of one sandbox. Which one?</h3>
      <RunsView target={view} />
    </>
  )
}

/** `isOfOne`: whether the view shows a single sandbox. */
function Scoped({ view, isOfOne, children }: RenderableProps<{ view: ViewId; isOfOne: boolean }>) {
  const { live, scope, go, show } = useConsole()
  const { isAll, text } = useScope()
  // The runs are all sandboxes, whichever is shown.
  if (text === '' || view === 'runs') return <>{children}</>
  const label = live.runs.find(({ name }) => name === scope)?.label
  const isAsking = isAll && isOfOne
  return (
    <>
      <p class="scope">
        <span>
          Shows <b>{text}</b>
          {label != null && <span class="aside"> {label}</span>}
          {!isAsking && `; buttons act on ${isAll ? 'each of them' : 'it alone'}.`}
        </span>
        {!isAll && <Button class="link" onClick={() => go({ sandbox: undefined })} text="Show all" />}
        <Button class="link" onClick={() => show('runs')} text="Choose a sandbox" />
      </p>
      {isAsking ? <SandboxChoice view={view} /> : children}
    </>
  )
}

/** `tag`: a page with the console in it has its own main landmark. */
function Main({ view, tag: Tag }: { view: ViewId; tag: 'main' | 'div' }) {
  const { live, scope } = useConsole()
  const View = views[view]
  const isOut = live.status === 'lost' || live.status === 'forbidden'
  return (
    <Tag class="main">
      <Panel id={view}>
        <h2 class="visually-hidden">{viewNames[view]}</h2>
        {/* A mock that does not respond cannot be changed; its requests can still be read. */}
        <fieldset class="contents" disabled={isOut && view !== 'journal'}>
          {(live.readAtMs > 0 || view === 'journal') && (
            <Scoped view={view} isOfOne={viewsOfOne.has(view)} key={scope}>
              <View />
            </Scoped>
          )}
        </fieldset>
      </Panel>
    </Tag>
  )
}

function useTitle(address: Address | undefined, view: ViewId, { request, sandbox }: ViewState): void {
  const what = request === undefined || view !== 'journal' ? viewNames[view] : `Request ${request}`
  const title = [what, sandbox, 'Mock console'].filter(Boolean).join(' · ')
  useEffect(() => address?.title(title), [title])
}

function useShortcuts(target: EventTarget, host: HTMLElement) {
  const [isHelping, setHelping] = useState(false)
  useEffect(() => {
    const press = (event: Event) => handleShortcut(event as KeyboardEvent, host, setHelping)
    target.addEventListener('keydown', press)
    return () => target.removeEventListener('keydown', press)
  }, [host])
  return isHelping && <Help close={() => setHelping(false)} />
}

interface AppProps {
  readonly source: ConsoleSource
  readonly address: Address | undefined
  readonly host: HTMLElement
}

/** The runs if there were several when the console was opened, else the journal: stays while sandboxes come and go. */
function useHome(runs: number) {
  const home = useRef<ViewId>('journal')
  const isKnown = useRef(false)
  if (!isKnown.current && runs > 0) {
    isKnown.current = true
    if (runs > 1) home.current = 'runs'
  }
  return home
}

export function App({ source, address, host }: AppProps) {
  const drafts = useMemo(() => new Map<string, unknown>(), [source])
  const home = useRef<ViewId>('journal')
  const { viewState, go, show } = useAddress(address, home)
  const scope = scopeOf(viewState)
  const { live, feed } = useLive(source, scope)
  home.current = useHome(live.runs.length).current
  const view = viewOf(viewState, home.current)
  const { act, shown } = useActions(() => feed.refresh())
  const openEntry: Console['openEntry'] = (row, change = {}) => {
    const compare = undefined
    const request = row ? String(row.id) : undefined
    show(row ? 'journal' : view, { request, from: row?.sandbox ?? undefined, compare, ...change })
  }
  const clearRequests = async (of: SandboxName) => {
    await source.controls(of).clearRequests()
    feed.forget(of)
  }
  const sandbox = scope ?? null
  const shared: Console = {
    ...{ source, controls: source.controls(sandbox), scope, sandbox, live, viewState, drafts },
    ...{ go, show, openEntry, act, clearRequests },
  }
  useTitle(address, view, viewState)
  const help = useShortcuts(address ? document : host, host)
  return (
    <ConsoleContext.Provider value={shared}>
      <div class="console">
        <Header host={host} />
        <Banner />
        <div class="frame">
          <Navigation view={view} />
          <Main view={view} tag={address ? 'main' : 'div'} />
        </div>
        {help}
        {shown}
      </div>
    </ConsoleContext.Provider>
  )
}
