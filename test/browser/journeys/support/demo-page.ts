// The demo page, built once: its development server sends hundreds of modules to every new profile.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'

export const configFile = fileURLToPath(
  new URL('../../../examples/demo-page/vite.config.ts', import.meta.url),
)

export interface ServedPage {
  readonly url: string
  close(): Promise<void>
}

/** Builds the demo page and serves it on any free port. */
export async function serveDemoPage(): Promise<ServedPage> {
  const outDir = mkdtempSync(join(tmpdir(), 'workspace-api-mock-demo-'))
  const options = { configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } } as const
  await build(options)
  const server = await preview({ ...options, preview: { port: 0, allowedHosts: ['insecure.test'] } })
  return {
    url: server.resolvedUrls?.local[0] ?? '',
    close: async () => {
      await server.close()
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}
