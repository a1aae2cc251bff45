// Snapshots where the state was replaced between taking and restoring them.
import { expect, it } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'

const other = { name: 'other', workspaces: [{ name: 'Acme', members: [{ name: 'Kim' }] }] }

it('restore brings a snapshot back over the fixture it was taken over, whatever was loaded since', () => {
  const mock = createWorkspaceMock({ fixture: 'empty' })
  const first = mock.snapshot()
  mock.loadState(other)
  const second = mock.snapshot()
  mock.reset()
  mock.restore(second)
  expect(mock.state().name).toBe('other')
  mock.restore(first)
  expect(mock.state().name).toBe('empty')
})

it('restore refuses a snapshot of another mock over another fixture, and what is no snapshot', () => {
  const mock = createWorkspaceMock({ fixture: 'empty' })
  const foreign = createWorkspaceMock({ fixture: other }).snapshot()
  const before = mock.state()
  expect(() => mock.restore(foreign)).toThrow('fixture other')
  expect(() => mock.restore({} as never)).toThrow('mock.snapshot()')
  expect(() => mock.restore(undefined as never)).toThrow('mock.snapshot()')
  expect(mock.state()).toEqual(before)
})
