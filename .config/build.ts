// Builds the package into dist: JavaScript, plain declarations, the console, and the licences of bundled code.
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { build, type InlineConfig } from 'tsdown'
import { publicEntries } from './entries.ts'
import { thirdPartyLicenses } from './licenses.ts'
import pageScripts from './tsdown.console.config.ts'
import javaScript from './tsdown.config.ts'

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const cache = `${root}/node_modules/.cache/workspace-api-mock`
/** Built elsewhere and moved into place in one step, so that anyone running from dist always finds it complete. */
const outDir = `${cache}/dist`

const declarations: InlineConfig = {
  cwd: root,
  entry: Object.fromEntries(Object.entries(publicEntries).map(([name, path]) => [name, `${root}/${path}`])),
  format: 'esm',
  platform: 'neutral',
  clean: false,
  dts: {
    emitDtsOnly: true,
    resolver: 'tsc',
    tsconfig: `${root}/tsconfig.json`,
    compilerOptions: { stripInternal: true },
  },
  // Libraries' types are imported, not bundled.
  deps: { neverBundle: [/^(?!\.|\/)/] },
  report: false,
  logLevel: 'error',
}

rmSync(outDir, { recursive: true, force: true })
const moduleIds: string[] = []
for (const config of [javaScript, ...pageScripts, declarations]) {
  for (const { chunks } of await build({ ...config, outDir, config: false }))
    for (const chunk of chunks) if (chunk.type === 'chunk') moduleIds.push(...chunk.moduleIds)
}
// Node prints the whole source line of an uncaught error, so lines are kept short.
for (const name of readdirSync(outDir).filter(
  (file) => file.endsWith('.js') && !file.endsWith('console.js'),
)) {
  const text = readFileSync(`${outDir}/${name}`, 'utf8')
  const { code } = transformSync(text, { minifyWhitespace: true, lineLimit: 120, charset: 'utf8' })
  writeFileSync(`${outDir}/${name}`, code)
}
for (const name of readdirSync(outDir).filter((file) => file.endsWith('.d.ts'))) {
  const text = readFileSync(`${outDir}/${name}`, 'utf8')
  const [, library] = /from "(?!\.|node:|msw|vitest|openapi-types)([^"]+)"/.exec(text) ?? []
  if (library !== undefined)
    throw new Error(`${name}: a public type follows from one of ${library}; declare it as an interface`)
  // Before TypeScript 5.7, byte arrays have no type parameter.
  const plain = text
    .replace(/^\/\/#(?:end)?region.*\n/gm, '')
    .replaceAll(/\bUint8Array<[\w |]+>/g, 'Uint8Array')
  writeFileSync(`${outDir}/${name}`, plain)
}
writeFileSync(`${outDir}/THIRD-PARTY-LICENSES.txt`, thirdPartyLicenses(moduleIds, cache))
// Agents look for skills at a package's root.
mkdirSync(`${root}/skills/workspace-api-mock`, { recursive: true })
copyFileSync(`${root}/src/tools/mcp/SKILL.md`, `${root}/skills/workspace-api-mock/SKILL.md`)
rmSync(`${root}/dist`, { recursive: true, force: true })
renameSync(outDir, `${root}/dist`)
