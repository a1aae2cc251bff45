// The fixture for hostile requests, small because its whole state is compared repeatedly.
import type { Fixture, WorkspaceMock } from '../../../../src/index.ts'
import { testFixture } from '../../../behaviour/support/fixture.ts'

export function smallFixture(): Fixture {
  const fixture = structuredClone(testFixture) as unknown as { workspaces: { tables: { id: string }[] }[] }
  const [main] = fixture.workspaces
  if (main) main.tables = main.tables.filter(({ id }) => id !== 'tbl_many')
  return fixture as unknown as Fixture
}

/** The state as text, without the rate windows, which also count refused requests. */
export function wholeState(mock: WorkspaceMock): string {
  const { runtime, ...rest } = mock.state() as Fixture & { readonly runtime?: object }
  return JSON.stringify({ ...rest, runtime: { ...runtime, windows: null } })
}
