// The script behind `npm run openapi:examples`: records the examples anew and stores them.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { format } from 'prettier'
import { recordExamples } from './record-examples.ts'

const file = fileURLToPath(new URL('../../src/openapi/examples.json', import.meta.url))
const style = new URL('../../.prettierrc.json', import.meta.url)

const options = JSON.parse(await readFile(style, 'utf8')) as object
const text = await format(JSON.stringify(await recordExamples()), { ...options, parser: 'json' })
await writeFile(file, text)
process.stdout.write(`recorded ${String(text.length)} characters of examples in ${file}\n`)
