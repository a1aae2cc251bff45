// Repeating tasks in their workspace's time zone: days, and hours that clock changes repeat or skip.
import { describe, expect, it } from 'vitest'
import { testFixture } from '../support/fixture.ts'
import { useMock } from '../support/harness.ts'
import { clones, repeating } from '../support/recurrence.ts'

const at = (iso: string) => Date.parse(iso) / 1000

const inZone = (timezone: string) => ({
  ...testFixture,
  workspaces: testFixture.workspaces.map((workspace) =>
    workspace.id === 'ws_main' ? { ...workspace, timezone } : workspace,
  ),
})

describe('tasks repeating in New York', () => {
  const { api, control } = useMock({ fixture: inZone('America/New_York') })

  it('listTasks answers 200 with nine in the morning of the workspace when summer time begins', async () => {
    await control.setClock(at('2026-03-06T20:00:00Z'))
    const id = await repeating(api, { trigger: 'on_schedule', frequency: 'daily' })
    await control.advance('3d')
    expect(await clones(api, id)).toEqual(['2026-03-07T14:00Z', '2026-03-08T13:00Z', '2026-03-09T13:00Z'])
  })

  it('listTasks answers 200 with weekdays of the workspace when they differ in UTC', async () => {
    const id = await repeating(api, {
      trigger: 'on_schedule',
      frequency: 'weekly',
      day_of_week: 5,
      time: '22:00',
    })
    await control.advance('7d')
    expect(await clones(api, id)).toEqual(['2026-01-10T03:00Z'])
  })
})

describe('tasks repeating in Auckland', () => {
  const { api, control } = useMock({ fixture: inZone('Pacific/Auckland') })

  it('listTasks answers 200 with the last day of the month of the workspace when it differs in UTC', async () => {
    const id = await repeating(api, {
      trigger: 'on_schedule',
      frequency: 'monthly',
      day_of_month: 31,
      time: '00:30',
    })
    await control.advance('60d')
    expect(await clones(api, id)).toEqual(['2026-01-30T11:30Z', '2026-02-27T11:30Z'])
  })
})

/**
 * Whether the hour is repeated or skipped, the time zone, the task's time of day, when the task is created (less than a
 * day before it is first due), and when it is due on the day before the clock change, on the day itself and on the day
 * after. A repeated hour means its first occurrence; a skipped time is moved later by the length of the change.
 */
const clockChanges = `
  repeated  America/New_York     01:30  2026-10-30T12:00:00Z  2026-10-31T05:30Z 2026-11-01T05:30Z 2026-11-02T06:30Z
  repeated  Europe/Berlin        02:30  2026-10-23T12:00:00Z  2026-10-24T00:30Z 2026-10-25T00:30Z 2026-10-26T01:30Z
  repeated  Pacific/Auckland     02:30  2026-04-02T20:00:00Z  2026-04-03T13:30Z 2026-04-04T13:30Z 2026-04-05T14:30Z
  repeated  Australia/Lord_Howe  01:45  2026-04-02T20:00:00Z  2026-04-03T14:45Z 2026-04-04T14:45Z 2026-04-05T15:15Z
  repeated  Africa/Cairo         23:30  2026-10-28T12:00:00Z  2026-10-28T20:30Z 2026-10-29T20:30Z 2026-10-30T21:30Z
  missing   America/New_York     02:30  2026-03-06T12:00:00Z  2026-03-07T07:30Z 2026-03-08T07:30Z 2026-03-09T06:30Z
  missing   Europe/Berlin        02:30  2026-03-27T12:00:00Z  2026-03-28T01:30Z 2026-03-29T01:30Z 2026-03-30T00:30Z
  missing   Pacific/Auckland     02:30  2026-09-24T20:00:00Z  2026-09-25T14:30Z 2026-09-26T14:30Z 2026-09-27T13:30Z
  missing   Australia/Lord_Howe  02:15  2026-10-01T20:00:00Z  2026-10-02T15:45Z 2026-10-03T15:45Z 2026-10-04T15:15Z
  missing   Africa/Cairo         00:30  2026-04-22T12:00:00Z  2026-04-22T22:30Z 2026-04-23T22:30Z 2026-04-24T21:30Z
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/))

describe.each(clockChanges)(
  'tasks repeating in an hour that is %s, in %s at %s',
  (_, zone = '', time, from = '', ...due) => {
    const { api, control } = useMock({ fixture: inZone(zone) })

    it(`listTasks answers 200 with one clone a day when it is due at ${time} in ${zone}`, async () => {
      await control.setClock(at(from))
      const id = await repeating(api, { trigger: 'on_schedule', frequency: 'daily', time })
      await control.advance('3d')
      expect(await clones(api, id)).toEqual(due)
    })

    it(`listTasks answers 200 with the same when the clock goes minute by minute past ${time} in ${zone}`, async () => {
      await control.setClock(at(`${String(due[1]).slice(0, -1)}:00Z`) - 120)
      const id = await repeating(api, { trigger: 'on_schedule', frequency: 'daily', time })
      for (let minutes = 0; minutes < 5; minutes++) await control.advance('1m')
      await control.advance('59m')
      expect(await clones(api, id)).toEqual([due[1]])
    })
  },
)
