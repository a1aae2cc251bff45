// What the journal keeps of a request: nothing that only its handling needed.
import { expect, it } from 'vitest'
import { demo } from '../../fixtures/demo/index.ts'
import { defaultAnswers } from '../../src/contract/questions/register.ts'
import { beginExchange, closeExchange, Exchange, OpenExchange } from '../../src/mock/requests/exchange.ts'
import { Faults } from '../../src/mock/faults/faults.ts'
import { Journal } from '../../src/mock/journal/journal.ts'
import { RequestQueue } from '../../src/mock/requests/request-queue.ts'
import { loadBase } from '../../src/service/fixture/load.ts'
import { noEvents } from '../../src/service/store/events.ts'
import { Store } from '../../src/service/store/store.ts'

it('closed leaves a request only what the journal keeps, and numbers and flags', () => {
  const base = loadBase(demo(), { isOwn: true })
  const clock = { mode: 'manual', nowMs: base.nowMs } as const
  const store = new Store(base, { answers: defaultAnswers, clock, events: noEvents })
  const call = { method: 'GET', path: '/me', query: '', baseUrl: '', header: () => null, body: null }
  const journal = new Journal(1)
  const open = new OpenExchange(call, { store, faults: new Faults(), journal, queue: new RequestQueue() })
  beginExchange(open)
  open.reportBreach('unknown-field', 'x')
  Object.assign(open, {
    at: {},
    query: {},
    otherQuery: new Map(),
    json: {},
    body: {},
    sent: new Uint8Array(),
  })
  const kept = Object.keys(new Exchange(call, 'getIdentity'))
  const others = () =>
    Object.entries(open).flatMap(([name, value]: [string, unknown]) =>
      kept.includes(name) || ['undefined', 'number', 'boolean'].includes(typeof value) ? [] : name,
    )
  expect(others()).toContain('state')
  closeExchange(open)
  expect(others()).toEqual([])
})
