// Shared by the report's tests: a mock on either clock, a way to let time pass, and short findings.
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { useMock, type Harness, type MockSetup, type Reply } from './harness.ts'

export type ClockMode = 'manual' | 'system'
export const clockModes: readonly ClockMode[] = ['manual', 'system']

export interface ReportHarness extends Harness {
  /** Lets time pass on the mock's clock, in the way that clock requires. */
  readonly pass: (ms: number) => Promise<void>
  /** Findings in short form: `poll-interval 2` is a rule that was broken twice. */
  readonly found: () => Promise<string[]>
}

/** Polls do not move the clock unless `setup` says so. The system clock is a Date that stands still. */
export function useReport(clock: ClockMode, setup: MockSetup = {}): ReportHarness {
  beforeEach(() => {
    if (clock === 'system') vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const harness = useMock({ clock, advanceOnPoll: false, ...setup })
  return {
    ...harness,
    async pass(ms) {
      if (clock === 'manual') await harness.control.advance(ms)
      else vi.setSystemTime(Date.now() + ms)
    },
    async found() {
      const findings = await harness.control.report()
      return findings.map(({ rule, count }) => `${rule} ${String(count)}`)
    },
  }
}

/** Sends calls one after another and checks their responses. */
export async function answers(statuses: readonly number[], call: () => Promise<Reply>): Promise<void> {
  for (const status of statuses) expect((await call()).status).toBe(status)
}
