// The clock: what time it is in the mock, what happens next by itself, and how to get there.
import { useState } from 'preact/hooks'
import type { ScheduleEntry, ScheduleKind } from '../../../store/schedule.ts'
import { dateText, durationText, momentText, timeText, weekdayText } from '../format.ts'
import { useConsole } from '../parts/context.ts'
import { Button, Field, Segmented, typed } from '../parts/controls.tsx'
import { useNow } from '../parts/loaded.ts'
import { Empty } from '../parts/marks.tsx'

const steps = [
  { by: '1s', label: '+1 s' },
  { by: '1m', label: '+1 min' },
  { by: '1h', label: '+1 h' },
  { by: '1d', label: '+1 d' },
  { by: '30d', label: '+30 d' },
] as const

const modes = [
  { value: 'manual', label: 'Stands still' },
  { value: 'system', label: 'Runs' },
] as const

const happenings: Readonly<Record<ScheduleKind, string>> = {
  job: 'Job moves on',
  repeat: 'Task repeats',
  purge: 'Deleted task is gone for good',
}

function Due({ entry, nowMs }: { readonly entry: ScheduleEntry; readonly nowMs: number }) {
  const { world, act } = useConsole()
  const waitMs = Math.max(0, entry.dueMs - nowMs)
  return (
    <li>
      <span class="what">
        {happenings[entry.kind]} <code>{entry.id}</code>
      </span>
      <span class="when">
        <span>{momentText(entry.dueMs)}</span>
        <span class="aside">in {durationText(waitMs)}</span>
      </span>
      <Button
        label={`Go there: ${happenings[entry.kind]} ${entry.id}`}
        onClick={() => void act(() => world.clock.advance({ ms: waitMs }))}
      >
        Go there
      </Button>
    </li>
  )
}

/** Whole seconds of what stands in a field for date and time, taken as UTC; null where nothing does. */
function secondsOf(text: string): number | null {
  const ms = Date.parse(`${text}Z`)
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000)
}

function SetForm({ nowMs }: { readonly nowMs: number }) {
  const { world, act } = useConsole()
  const [moment, setMoment] = useState('')
  const [length, setLength] = useState('')
  const seconds = secondsOf(moment)
  const set = (event: Event) => {
    event.preventDefault()
    if (seconds !== null) void act(() => world.clock.change({ now: seconds }), 'Clock set.')
  }
  const advance = (event: Event) => {
    event.preventDefault()
    void act(() => world.clock.advance({ by: length }), `Moved on by ${length}.`)
  }
  return (
    <div class="pair">
      <form class="inline" onSubmit={set}>
        <Field label="Set to" hint="In UTC; backwards too">
          <input
            type="datetime-local"
            step="1"
            value={moment === '' ? `${dateText(nowMs)}T${timeText(nowMs)}` : moment}
            onInput={(event) => setMoment(typed(event))}
          />
        </Field>
        <button type="submit" class="button plain" disabled={seconds === null}>
          Set
        </button>
      </form>
      <form class="inline" onSubmit={advance}>
        <Field label="Move on by" hint="500ms, 30s, 5m, 2h or 2d">
          <input
            type="text"
            size={8}
            value={length}
            placeholder="90s"
            onInput={(event) => setLength(typed(event))}
          />
        </Field>
        <button type="submit" class="button plain" disabled={length === ''}>
          Move
        </button>
      </form>
    </div>
  )
}

export function Clock() {
  const { live, world, act } = useConsole()
  const nowMs = useNow()
  if (!live.overview) return null
  const { due } = live.overview
  const clock = { ...live.overview.clock, nowMs, now: Math.floor(nowMs / 1000) }
  return (
    <div class="clock">
      <div class="sheet face">
        <p class="day">
          {weekdayText(clock.nowMs)}, {dateText(clock.nowMs)} UTC
        </p>
        <p class="display">
          {timeText(clock.nowMs)}
          <span class="ms">.{String(clock.nowMs % 1000).padStart(3, '0')}</span>
        </p>
        <p class="seconds">{clock.now} Unix seconds</p>
        <div class="row">
          {steps.map(({ by, label }) => (
            <Button key={by} onClick={() => void act(() => world.clock.advance({ by: by }))}>
              {label}
            </Button>
          ))}
        </div>
        <div class="row">
          <Segmented
            legend="Mode of the clock"
            choices={modes}
            value={clock.mode}
            onChange={(mode) => void act(() => world.clock.change({ mode }))}
          />
          <span class="hint">
            {clock.mode === 'manual'
              ? 'Moves only when it is told to, and by half a second with each job poll.'
              : 'Moves on with real time.'}
          </span>
        </div>
        <SetForm nowMs={clock.nowMs} />
      </div>
      <h3 class="section">What happens next by itself</h3>
      <div class="sheet">
        {due.length === 0 ? (
          <Empty title="Nothing is due">
            <p>Jobs that run, tasks that repeat on schedule and deleted tasks wait here for their moment.</p>
          </Empty>
        ) : (
          <ul class="due">
            {due.map((entry) => (
              <Due key={`${entry.kind}:${entry.id}`} entry={entry} nowMs={clock.nowMs} />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
