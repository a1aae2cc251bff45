// The console in a page that has the mock, loaded on demand.
import type { WorkspaceMock } from '../mock.ts'

export interface MountedConsole {
  /** Takes the console out of the page. */
  unmount(): void
}

/**
 * Shows the console of a mock in an element, whose height it fills (480 px at least). Neither its styles nor the
 * page's reach the other.
 */
export async function mountConsole(element: HTMLElement, mock: WorkspaceMock): Promise<MountedConsole> {
  const [{ mount }, { createPageSource }] = await Promise.all([
    import('./console/mount.tsx'),
    import('./console/page-source.ts'),
  ])
  return { unmount: mount(element, createPageSource(mock)) }
}
