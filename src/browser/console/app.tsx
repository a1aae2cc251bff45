// Owns the console as a whole: its frame, which view is shown, and what every part of it shares.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { LiveFeed, type LiveState } from './live.ts'
import { ConsoleContext, useConsole, type Console, type ViewId } from './parts/context.ts'
import { Header } from './parts/header.tsx'
import { Panel, Tabs, type Tab } from './parts/tabs.tsx'
import type { ConsoleSource } from './source.ts'
import { Clock } from './views/clock.tsx'
import { Faults } from './views/faults.tsx'
import { Journal } from './views/journal.tsx'
import { PlanAndKeys } from './views/plan.tsx'
import { Questions } from './views/questions.tsx'
import { Report } from './views/report.tsx'
import { Snapshots } from './views/snapshots.tsx'
import { State } from './views/state.tsx'

const views: Readonly<Record<ViewId, { readonly label: string; readonly View: () => preact.VNode | null }>> =
  {
    journal: { label: 'Journal', View: Journal },
    report: { label: 'Report', View: Report },
    state: { label: 'State', View: State },
    clock: { label: 'Clock', View: Clock },
    faults: { label: 'Faults', View: Faults },
    plan: { label: 'Plan and keys', View: PlanAndKeys },
    questions: { label: 'Questions', View: Questions },
    snapshots: { label: 'Snapshots', View: Snapshots },
  }
const viewIds = Object.keys(views) as ViewId[]

export const isViewId = (text: string): text is ViewId => Object.hasOwn(views, text)

const unknown: LiveState = { overview: null, entries: [], findings: [], faults: [], failure: null }

function useLive(world: ReturnType<ConsoleSource['world']>) {
  const [live, setLive] = useState(unknown)
  const feed = useMemo(() => new LiveFeed(world, setLive), [world])
  useEffect(() => {
    feed.start()
    return () => feed.stop()
  }, [feed])
  return { live, feed }
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

function Navigation() {
  const { live, view, show } = useConsole()
  const worst = live.findings.some(({ severity }) => severity === 'error') ? 'bad' : 'warn'
  const counts: Partial<Record<ViewId, number>> = {
    journal: live.entries.length,
    report: live.findings.length,
    faults: live.faults.length,
  }
  const tabs = viewIds.map((id): Tab<ViewId> => ({
    id,
    label: views[id].label,
    count: counts[id],
    tone: id === 'report' ? worst : id === 'faults' ? 'accent' : undefined,
  }))
  return (
    <nav aria-label="Console">
      <Tabs look="nav" label="Parts of the console" tabs={tabs} current={view} onChange={show} />
    </nav>
  )
}

export interface AppProps {
  readonly source: ConsoleSource
  /** Where to begin. */
  readonly start: ViewId
  /** Told of the view that is shown. */
  readonly onView?: (view: ViewId) => void
  readonly host: HTMLElement
}

export function App({ source, start, onView, host }: AppProps) {
  const [sandbox, setSandbox] = useState<string | null>(null)
  const [view, setView] = useState(start)
  const [openRequest, setOpenRequest] = useState<number | null>(null)
  const [workspaceId, setWorkspaceId] = useState<string | null>(null)
  const world = useMemo(() => source.world(sandbox), [source, sandbox])
  const { live, feed } = useLive(world)
  const { toasts, say } = useToasts()
  const show = (next: ViewId) => {
    setView(next)
    onView?.(next)
  }
  const act: Console['act'] = async (action, done) => {
    try {
      await action()
      if (done !== undefined) say(done)
      return true
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), true)
      return false
    } finally {
      await feed.refresh()
    }
  }
  const openEntry = (id: number | null) => {
    setOpenRequest(id)
    if (id !== null) show('journal')
  }
  const shared: Console = {
    ...{ source, world, live, view, openRequest, workspaceId },
    ...{ setWorkspaceId, show, openEntry, act, say },
  }
  const { View } = views[view]
  return (
    <ConsoleContext.Provider value={shared}>
      <div class="console">
        <Header sandbox={sandbox} onSandbox={setSandbox} host={host} />
        {live.failure !== null && (
          <p class="lost" role="alert">
            The mock does not answer: {live.failure}. Trying again every second.
          </p>
        )}
        <div class="frame">
          <Navigation />
          <main>
            <Panel id={view}>
              <h2 class="unseen">{views[view].label}</h2>
              <View key={sandbox} />
            </Panel>
          </main>
        </div>
        <div class="toasts" role="status">
          {toasts.map(({ id, text, isProblem }) => (
            <p key={id} class={isProblem ? 'problem' : ''}>
              {text}
            </p>
          ))}
        </div>
      </div>
    </ConsoleContext.Provider>
  )
}
