// The layout of the sources, as far as lint does not check it: type imports and folder sizes.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../src', import.meta.url))
const entries = readdirSync(root, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())

/** The files that each file imports, including for types. */
const imports = new Map(
  entries
    .map(({ parentPath, name }) => resolve(parentPath, name))
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => [
      path,
      ts
        .preProcessFile(readFileSync(path, 'utf8'))
        .importedFiles.map(({ fileName }) => resolve(dirname(path), fileName)),
    ]),
)

/** The first cycle found from a file, if any. */
function cycleFrom(path: string, way: readonly string[], done: Set<string>): readonly string[] | undefined {
  if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
  if (done.has(path)) return undefined
  done.add(path)
  for (const imported of imports.get(path) ?? []) {
    const found = cycleFrom(imported, [...way, path], done)
    if (found) return found
  }
  return undefined
}

it('no file imports itself through others, types included', () => {
  expect(imports.size).toBeGreaterThan(300)
  const done = new Set<string>()
  const cycles = [...imports.keys()].map((path) => cycleFrom(path, [], done)).filter(Boolean)
  expect(cycles).toEqual([])
})

/** The entries of the package, without the files next to them that assemble a mock. */
const doors = entries
  .filter(
    ({ parentPath, name }) =>
      parentPath === root && name.endsWith('.ts') && !/^mock(-options)?\.ts$/.test(name),
  )
  .map(({ name }) => name)

it.each(['contract', 'service', 'mock', 'adapters'])('src/%s imports no tool, types included', (room) => {
  const files = [...imports].filter(([path]) => path.startsWith(`${resolve(root, room)}/`))
  expect(files.length).toBeGreaterThan(20)
  const tools = resolve(root, 'tools')
  expect(files.filter(([, imported]) => imported.some((path) => path.startsWith(tools)))).toEqual([])
})

it.each(doors)('the entry src/%s has at most one function of its own', (door) => {
  const { statements } = ts.createSourceFile(
    door,
    readFileSync(resolve(root, door), 'utf8'),
    ts.ScriptTarget.Latest,
  )
  const functions = statements.filter(
    (statement) =>
      ts.isFunctionDeclaration(statement) ||
      (ts.isVariableStatement(statement) &&
        statement.declarationList.declarations.some(
          ({ initializer }) => initializer !== undefined && ts.isArrowFunction(initializer),
        )),
  )
  expect(functions.length).toBeLessThanOrEqual(1)
  expect(statements.filter((statement) => ts.isClassDeclaration(statement))).toEqual([])
})

it('no folder has more than 25 files', () => {
  const folders = new Set(entries.map(({ parentPath }) => parentPath))
  const filesIn = (folder: string) => entries.filter(({ parentPath }) => parentPath === folder)
  expect([...folders].filter((folder) => filesIn(folder).length > 25)).toEqual([])
})

it.each(['index.ts', 'browser.ts', 'openapi.ts', 'verify.ts'])(
  'the entry src/%s is loaded without Node',
  (entry) => {
    const reached = new Set([resolve(root, entry)])
    // Iterating over a set includes items added during the iteration.
    for (const path of reached) for (const imported of imports.get(path) ?? []) reached.add(imported)
    expect(reached.size).toBeGreaterThan(20)
    expect([...reached].filter((path) => path.includes('/node:'))).toEqual([])
  },
)
