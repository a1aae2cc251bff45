// The whole console: its frame, the current view, and what all its parts share.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { messageOf } from '../../contract/text/format.ts'
import { initialState, LiveFeed } from './live.ts'
import {
  type Address,
  type Console,
  ConsoleContext,
  isViewId,
  type ViewState,
  useConsole,
  type ViewId,
  viewNames,
} from './parts/context.ts'
import { Header } from './parts/header.tsx'
import { Help, pressed } from './parts/keyboard.tsx'
import { Panel, type Tab, Tabs } from './parts/tabs.tsx'
import type { ConsoleSource } from './source.ts'
import { ClockView } from './views/clock.tsx'
import { CoverageView } from './views/coverage.tsx'
import { ExplorationView } from './views/exploration.tsx'
import { FaultsView } from './views/faults/faults.tsx'
import { JournalView } from './views/journal/journal.tsx'
import { PlanView } from './views/plan.tsx'
import { QuestionsView } from './views/questions.tsx'
import { ReportView } from './views/report.tsx'
import { SnapshotsView } from './views/snapshots.tsx'
import { StateView } from './views/state/state.tsx'

const views: Readonly<Record<ViewId, () => preact.VNode | null>> = {
  journal: JournalView,
  report: ReportView,
  state: StateView,
  clock: ClockView,
  faults: FaultsView,
  coverage: CoverageView,
  exploration: ExplorationView,
  plan: PlanView,
  questions: QuestionsView,
  snapshots: SnapshotsView,
}

function useLive(source: ConsoleSource, sandbox: string | null) {
  const [live, setLive] = useState(initialState)
  const feed = useMemo(() => new LiveFeed(source, setLive), [source])
  feed.select(sandbox)
  useEffect(() => {
    feed.start()
    return () => feed.stop()
  }, [feed])
  return { live, feed }
}

/** The view state, stored in the address if there is one. */
function useAddress(address: Address | undefined) {
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
    const { view: former = 'journal', sandbox } = now.current
    if (view !== former) {
      left.current.set(former, now.current)
      now.current = left.current.get(view) ?? {}
    }
    go(view === former ? change : { view, sandbox, ...change })
  }
  return { viewState, go, show }
}

interface Toast {
  readonly id: number
  readonly text: string
  readonly isProblem: boolean
}

const toastMs = 4000
let lastToast = 0

function useToasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const say = (text: string, isProblem = false) => {
    const id = (lastToast += 1)
    setToasts((before) => [...before.slice(-2), { id, text, isProblem }])
    setTimeout(() => setToasts((before) => before.filter((toast) => toast.id !== id)), toastMs)
  }
  return { toasts, say }
}

function Navigation({ view }: { readonly view: ViewId }) {
  const { live, show } = useConsole()
  const worst = live.findings.some(({ severity }) => severity === 'error') ? 'bad' : 'warn'
  const counts: Partial<Record<ViewId, number | undefined>> = {
    journal: live.status === 'loading' ? undefined : live.lines.length,
    report: live.findings.length,
    faults: live.faults.length,
    questions: live.overview.changedAnswers.length,
  }
  const tabs = Object.entries(viewNames).map(([id, label]): Tab => ({
    id,
    label,
    count: counts[id as ViewId],
    tone: id === 'report' ? worst : id === 'journal' ? undefined : 'accent',
  }))
  return (
    <nav aria-label="Console">
      <Tabs class="nav" label="Views" tabs={tabs} current={view} onChange={(id) => show(id as ViewId)} />
    </nav>
  )
}

function Toasts({ toasts }: { readonly toasts: readonly Toast[] }) {
  return (
    <div class="toasts" role="status">
      {toasts.map(({ id, text, isProblem }) => (
        <p key={id} class={isProblem ? 'problem' : ''}>
          {text}
        </p>
      ))}
    </div>
  )
}

interface MainProps {
  readonly view: ViewId
  /** A page with the console in it has its own main landmark. */
  readonly tag: 'main' | 'div'
}

function Main({ view, tag: Tag }: MainProps) {
  const { live, sandbox } = useConsole()
  const View = views[view]
  return (
    <Tag class="main">
      <Panel id={view}>
        <h2 class="visually-hidden">{viewNames[view]}</h2>
        {/* A mock that does not respond cannot be changed; its requests can still be read. */}
        <fieldset class="contents" disabled={live.status === 'lost' && view !== 'journal'}>
          {(live.readAtMs > 0 || view === 'journal') && <View key={sandbox} />}
        </fieldset>
      </Panel>
    </Tag>
  )
}

/** Performs actions on the mock and reports their results. */
function actorOf(feed: LiveFeed, say: (text: string, isProblem?: boolean) => void): Console['act'] {
  return async (action, done) => {
    try {
      await action()
      if (done !== undefined) say(done)
      return true
    } catch (error) {
      say(messageOf(error), true)
      return false
    } finally {
      await feed.refresh()
    }
  }
}

function useTitle(address: Address | undefined, view: ViewId, { request, sandbox }: ViewState): void {
  const what = request === undefined || view !== 'journal' ? viewNames[view] : `Request ${request}`
  const title = [what, sandbox, 'Mock console'].filter(Boolean).join(' · ')
  useEffect(() => address?.title(title), [title])
}

/** Opens the list of shortcuts as one of them. */
function useShortcuts(target: EventTarget, host: HTMLElement) {
  const [isHelping, setHelping] = useState(false)
  useEffect(() => {
    const press = (event: Event) => pressed(event as KeyboardEvent, host, setHelping)
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

export function App({ source, address, host }: AppProps) {
  const { viewState, go, show } = useAddress(address)
  const view = isViewId(viewState.view) ? viewState.view : 'journal'
  const sandbox = viewState.sandbox === '' ? null : (viewState.sandbox ?? null)
  const { live, feed } = useLive(source, sandbox)
  const { toasts, say } = useToasts()
  const openEntry: Console['openEntry'] = (line) => {
    show(line ? 'journal' : view, {
      request: line ? String(line.id) : undefined,
      from: line?.sandbox ?? undefined,
    })
  }
  const clearRequests = async (of: string | null) => {
    await source.controls(of).clearRequests()
    feed.forget(of)
  }
  const shared: Console = {
    ...{ source, controls: source.controls(sandbox), sandbox, live, viewState },
    ...{ go, show, openEntry, act: actorOf(feed, say), clearRequests },
  }
  useTitle(address, view, viewState)
  const help = useShortcuts(address ? document : host, host)
  return (
    <ConsoleContext.Provider value={shared}>
      <div class="console">
        <Header host={host} />
        {live.status === 'lost' && (
          <p class="lost" role="alert">
            The mock does not respond: {live.failure}. Retrying every second.
          </p>
        )}
        <div class="frame">
          <Navigation view={view} />
          <Main view={view} tag={address ? 'main' : 'div'} />
        </div>
        {help}
        <Toasts toasts={toasts} />
      </div>
    </ConsoleContext.Provider>
  )
}
