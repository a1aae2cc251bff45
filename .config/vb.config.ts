import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { playwright } from '@vitest/browser-playwright'
import { chromiumFlags, chromiumPath } from './chromium.ts'
const root = fileURLToPath(new URL('..', import.meta.url))
const imports = [
  { find: /^workspace-api-mock$/, replacement: `${root}src/index.ts` },
  { find: /^workspace-api-mock\/(node|browser|openapi)$/, replacement: `${root}src/$1/index.ts` },
]
export default defineConfig({
  root,
  resolve: { alias: imports },
  plugins: [{ name: 'msw-script', configureServer(server) { server.middlewares.use('/mockServiceWorker.js', (_q, r) => { r.setHeader('content-type','text/javascript'); r.setHeader('service-worker-allowed', '/'); r.end(readFileSync(root + 'node_modules/msw/lib/mockServiceWorker.js')) }) } }],
  test: {
    testTimeout: 30_000,
    name: 'browser',
    include: ['test/behaviour/**/*.test.ts'],
    provide: { target: 'browser' },
    isolate: false, maxWorkers: 2,
    browser: { enabled: true, headless: true, screenshotFailures: false, provider: playwright({ launchOptions: { executablePath: chromiumPath, args: chromiumFlags } }), instances: [{ browser: 'chromium' }] },
  },
})
