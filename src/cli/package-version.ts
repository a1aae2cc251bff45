// Version of this package, from its sources as well as from the bundle.
import { readFileSync } from 'node:fs'

/** Version in the nearest package.json above this file. */
export function packageVersion(): string {
  for (const above of ['../package.json', '../../package.json', '../../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(above, import.meta.url), 'utf8'))
      if (isOurs(manifest)) return manifest.version
    } catch {
      // Not found there: look further up.
    }
  }
  return 'unknown'
}

function isOurs(manifest: unknown): manifest is { version: string } {
  if (typeof manifest !== 'object' || manifest === null) return false
  return 'name' in manifest && manifest.name === 'workspace-api-mock' && 'version' in manifest
}
