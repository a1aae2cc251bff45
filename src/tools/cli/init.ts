// Command `init`: writes a first fixture and a first test for a project.
import { existsSync, lstatSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import fixture from '../../../fixtures/starter.json' with { type: 'json' }
import { createFolder, writeFile } from '../../adapters/server/write-file.ts'
import { applyStyle, print } from './terminal.ts'

const starter = `import { expect } from 'vitest'
import type { Fixture } from 'workspace-api-mock'
import { test as base } from 'workspace-api-mock/vitest'
import company from './workspace.fixture.json' with { type: 'json' }

// Each test has its own mock, and fails if the client breaks a rule of the contract.
const test = base.extend({ mockOptions: { fixture: company as Fixture }, strict: true })

test('lists the leads', async ({ mock }) => {
  const response = await fetch(\`\${mock.baseUrl}/datatables/tbl_leads/rows\`, {
    headers: { authorization: \`Bearer \${mock.keys.master}\` },
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ total: 1, rows: [{ data: { col_name: 'First lead' } }] })
  expect(mock).toHaveRequested('listRows', { times: 1 })
})
`

const schemaFile = 'node_modules/workspace-api-mock/fixtures/fixture.schema.json'

/** The path from a folder to the schema, in the nearest enclosing package that has or will have the mock installed. */
function findSchema(folder: string): string {
  const start = resolve(folder)
  const above = [start]
  for (let at = start; dirname(at) !== at; at = dirname(at)) above.push(dirname(at))
  const root =
    above.find((each) => existsSync(join(each, schemaFile))) ??
    above.find((each) => existsSync(join(each, 'package.json'))) ??
    process.cwd()
  const path = relative(start, join(root, schemaFile)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

/** True if anything exists at a path, even a broken link. */
function hasEntry(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Writes all files, or none if one of them exists. */
export function initCommand(folder: string): void {
  const company = { ...fixture, $schema: findSchema(folder) }
  const files: readonly (readonly [name: string, text: string])[] = [
    ['workspace.fixture.json', `${JSON.stringify(company, null, 2)}\n`],
    ['workspace.test.ts', starter],
  ]
  const taken = files.map(([name]) => join(folder, name)).find(hasEntry)
  if (taken !== undefined) throw new Error(`${taken} already exists and is not overwritten`)
  createFolder(folder)
  for (const [name, text] of files) {
    const path = join(folder, name)
    writeFile(path, text)
    print(`${applyStyle('bold', path)}\n`)
  }
  print('\nNext:\n  npm install --save-dev workspace-api-mock msw vitest\n  npx vitest run\n')
}
