// The console for a page that runs the mock itself, loaded on demand.
import type { WorkspaceMock } from '../../mock.ts'

export interface MountedConsole {
  /** Removes the console from the page. */
  unmount(): void
}

/**
 * Shows a mock's console in an element and fills its height (at least 480 px). The styles of the console and of the
 * page do not affect each other.
 */
export async function mountConsole(element: HTMLElement, mock: WorkspaceMock): Promise<MountedConsole> {
  const [{ mount }, { createPageSource }] = await Promise.all([
    import('./app.tsx'),
    import('./page-source.ts'),
  ])
  return { unmount: mount(element, createPageSource(mock)) }
}
