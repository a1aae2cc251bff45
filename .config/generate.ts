// Writes the generated files that are kept in the repository: `npm run generate`.
import { writeFileSync } from 'node:fs'
import { generatedFiles } from './generated.ts'

for (const [path, text] of Object.entries(await generatedFiles()))
  writeFileSync(new URL(`../${path}`, import.meta.url), text)
