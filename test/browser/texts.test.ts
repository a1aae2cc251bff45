// The console's texts: moments, durations, numbers, and descriptions of faults.
import { describe, expect, it } from 'vitest'
import {
  formatDate,
  formatDuration,
  formatMoment,
  numberText,
  formatPreciseTime,
  formatSize,
} from '../../src/tools/console/format.ts'
import { describeFault } from '../../src/tools/console/views/faults/fault-text.ts'

describe('texts', () => {
  it('write moments in UTC', () => {
    expect(formatMoment(1767607205250)).toBe('2026-01-05 10:00:05')
    expect(formatPreciseTime(1767607205050)).toBe('10:00:05.050')
    // Later than any Date, but valid in a row.
    expect(formatDate(1e18)).toBe('+275760-09-13')
  })

  it.each([
    [0, '0 ms'],
    [250, '250 ms'],
    [1500, '1.5 s'],
    [90_000, '1 min 30 s'],
    [3_600_000, '1 h'],
    [187_200_000, '2 d 4 h'],
  ])('write a length of %i ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  it('write numbers and sizes', () => {
    expect(numberText(50_000)).toBe('50,000')
    expect([640, 12_700, 10_485_760].map(formatSize)).toEqual(['640 B', '12.4 KiB', '10 MiB'])
  })

  it.each([
    [{}, 'The next request gets 500; nothing changes.'],
    [
      { operation: 'createRow', status: 429, times: 3, retryAfter: 2, phase: 'after' },
      'Each of the next 3 requests of createRow gets 429 with Retry-After 2 s; the request is carried out nevertheless.',
    ],
    [
      { network: true, times: null, delayMs: 1500 },
      'Every request fails with a broken connection after 1.5 s; nothing changes.',
    ],
    [{ status: 200, delayMs: 300 }, 'The next request gets its usual response after 300 ms.'],
  ] as const)('say of the fault %o what it does', (fault, text) => {
    expect(describeFault(fault)).toBe(text)
  })
})
