// Builds the page scripts that `npm start` serves. If the folder is not writable, the mock starts without its console.
import { accessSync, constants, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import pageScripts from './tsdown.console.config.ts'

const outDir = fileURLToPath(new URL('../dist', import.meta.url))

function isWritable(): boolean {
  try {
    mkdirSync(outDir, { recursive: true })
    accessSync(outDir, constants.W_OK)
    return true
  } catch (error) {
    process.stderr.write(`The console was not built: ${(error as Error).message}\n`)
    return false
  }
}

if (isWritable()) for (const config of pageScripts) await build({ ...config, config: false })
