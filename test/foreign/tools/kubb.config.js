// What kubb generates: types and a fetch client, in one folder.
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

export default defineConfig({
  root: '.',
  input: { path: 'dist/openapi.json' },
  output: { path: 'dist/clients/kubb', barrelType: 'named', format: false, lint: false },
  plugins: [pluginOas({ generators: [], validate: false }), pluginTs(), pluginClient({ client: 'fetch' })],
})
