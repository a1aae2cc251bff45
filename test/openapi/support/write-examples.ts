// The script behind `npm run openapi:examples`: records the examples anew and stores them, one line an operation.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { recordExamples } from './record-examples.ts'

const file = fileURLToPath(new URL('../../../src/tools/openapi/examples.json', import.meta.url))

const lines = Object.entries(await recordExamples()).map(
  ([operation, example]) => `${JSON.stringify(operation)}: ${JSON.stringify(example)}`,
)
const text = `{\n${lines.join(',\n')}\n}\n`
await writeFile(file, text)
process.stdout.write(`recorded ${String(text.length)} characters of examples in ${file}\n`)
