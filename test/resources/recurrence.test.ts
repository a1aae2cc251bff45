// The moments of recurrence in time zones, compared with calendars derived from Intl.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findNextOccurrence } from '../../src/service/resources/recurrence.ts'
import { NOW } from '../behaviour/support/fixture.ts'

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** What the calendar and clock of a zone show at a moment. */
function shownIn(timezone: string, seconds: number) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  const parts = Object.fromEntries(
    format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]),
  )
  return {
    time: `${parts.hour ?? ''}:${parts.minute ?? ''}`,
    weekday: days.indexOf(parts.weekday ?? ''),
    day: Number(parts.day),
  }
}

describe('findNextOccurrence', () => {
  const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Niue']
  const times = ['00:00', '09:00', '23:30']
  // Winter in the north: no clock changes in this period.
  const moments = fc.integer({ min: NOW, max: NOW + 50 * 86_400 })

  it('returns the first later moment at which the clocks show the time when the frequency is daily', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.constantFrom(...times), moments, (zone, time, after) => {
        const next =
          findNextOccurrence({ trigger: 'on_schedule', frequency: 'daily', time }, zone, after) ?? 0
        expect(next).toBeGreaterThan(after)
        expect(next).toBeLessThanOrEqual(after + 86_400)
        expect(shownIn(zone, next).time).toBe(time)
      }),
      { seed: 4010 },
    )
  })

  it('returns the next such weekday, within a week, when the frequency is weekly', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.nat(6), moments, (zone, day_of_week, after) => {
        const config = { trigger: 'on_schedule', frequency: 'weekly', day_of_week } as const
        const next = findNextOccurrence(config, zone, after) ?? 0
        expect(next - after).toBeGreaterThan(0)
        expect(next - after).toBeLessThanOrEqual(7 * 86_400)
        expect(shownIn(zone, next)).toMatchObject({ weekday: day_of_week, time: '09:00' })
      }),
      { seed: 4010 },
    )
  })

  it('returns a working day at most three days ahead when the frequency is weekdays', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), moments, (zone, after) => {
        const next = findNextOccurrence({ trigger: 'on_schedule', frequency: 'weekdays' }, zone, after) ?? 0
        expect(next - after).toBeGreaterThan(0)
        expect(next - after).toBeLessThanOrEqual(3 * 86_400)
        expect([0, 6]).not.toContain(shownIn(zone, next).weekday)
      }),
      { seed: 4010 },
    )
  })

  it.each([
    [31, '2026-02-28T09:00:00Z'],
    [30, '2026-02-28T09:00:00Z'],
    [28, '2026-02-28T09:00:00Z'],
    [1, '2026-02-01T09:00:00Z'],
  ])('is in a short month on the day %d, clamped: %s', (day_of_month, expected) => {
    const after = Date.parse('2026-01-31T09:00:00Z') / 1000
    const next = findNextOccurrence(
      { trigger: 'on_schedule', frequency: 'monthly', day_of_month },
      'UTC',
      after,
    )
    expect(next).toBe(Date.parse(expected) / 1000)
  })

  it('returns null after end_date, which itself counts', () => {
    const at = Date.parse('2026-01-06T09:00:00Z') / 1000
    const daily = { trigger: 'on_schedule', frequency: 'daily' } as const
    expect(findNextOccurrence({ ...daily, end_date: at }, 'UTC', NOW)).toBe(at)
    expect(findNextOccurrence({ ...daily, end_date: at - 1 }, 'UTC', NOW)).toBeNull()
  })

  it('returns null without a schedule, whatever the frequency', () => {
    expect(findNextOccurrence({ trigger: 'on_complete', frequency: 'daily' }, 'UTC', NOW)).toBeNull()
  })
})
