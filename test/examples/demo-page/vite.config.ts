// Serves the demo page, with the worker script where `npx msw init` would put it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin, type PreviewServer, type ViteDevServer } from 'vite'
import { sourceAliases } from '../../../.config/entries.ts'

const package_ = fileURLToPath(new URL('../../..', import.meta.url))

/** In your own project, run `npx msw init public` once to put the script there. */
const serveWorkerScript = ({ middlewares }: ViteDevServer | PreviewServer) => {
  middlewares.use('/mockServiceWorker.js', (_request, response) => {
    response.setHeader('content-type', 'text/javascript')
    response.end(readFileSync(`${package_}node_modules/msw/lib/mockServiceWorker.js`))
  })
}

const workerScript: Plugin = {
  name: 'msw-worker-script',
  configureServer: serveWorkerScript,
  configurePreviewServer: serveWorkerScript,
}

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: `${package_}node_modules/.cache/demo-page`,
  resolve: { alias: sourceAliases },
  plugins: [workerScript],
  server: { port: 4020, fs: { allow: [package_] } },
})
