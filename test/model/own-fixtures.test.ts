// Owns the fixtures of this package as fixtures like any other: their shape is not looked at when they are named.
import { describe, expect, it } from 'vitest'
import { fixtures } from '../../fixtures/index.ts'
import { createWorkspaceMock, type Fixture } from '../../src/index.ts'

/** The fixture as a user would write it: its generated rows stand in their tables. */
function spelledOut(name: keyof typeof fixtures): Fixture {
  const { generated = {}, ...fixture } = fixtures[name]()
  const withRows = (table: { readonly id?: string }) => {
    const make = generated[table.id ?? '']
    return make ? { ...table, rows: make() } : table
  }
  return {
    ...fixture,
    workspaces: fixture.workspaces.map((workspace) => ({
      ...workspace,
      ...(workspace.tables && { tables: workspace.tables.map(withRows) }),
    })),
  } as Fixture
}

describe.each(['demo', 'empty', 'large'] as const)('fixture %s', (name) => {
  it('gives the same state when it is written out and checked as when it is named', () => {
    const named = createWorkspaceMock({ fixture: name }).state()
    expect(createWorkspaceMock({ fixture: spelledOut(name) }).state()).toEqual(named)
  })
})
