// The published types, checked as users' compilers do: old and new, both resolutions, including libraries; and what an
// editor completes.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Scratch } from './support/scratch.ts'

const scratch = new Scratch()
const compilers = {
  'TypeScript 5.4': 'typescript-5.4',
  'TypeScript 5.9': 'typescript-5',
  'TypeScript 7': 'typescript-7',
}
/** The users' files, and the types of the environment that each runs in. */
const consumers = [
  { file: 'consumer.ts', types: ['node'] },
  { file: 'consumer-browser.ts', types: [] },
]
const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  // As in CommonJS projects with jest. The types of vitest, which the other consumer imports, do not resolve here.
  node10: { module: 'commonjs', moduleResolution: 'node10' },
}

beforeAll(async () => {
  await scratch.install(
    inject('tarball'),
    'msw@2',
    'vitest@4',
    '@types/node@20',
    'typescript-5.4@npm:typescript@5.4',
    'typescript-5@npm:typescript@5.9',
    'typescript-7@npm:typescript@7',
  )
  for (const { file } of consumers) scratch.copy(`test/package/support/${file}`, file)
})
afterAll(() => scratch.remove())

const runs = Object.entries(resolutions).flatMap(([resolution, how]) =>
  consumers
    .filter(({ file }) => resolution !== 'node10' || file === 'consumer-browser.ts')
    .map((consumer) => ({ ...consumer, resolution, how })),
)

describe.for(Object.entries(compilers))('%s', ([, compiler]) => {
  const known = runs.filter(({ resolution }) => resolution !== 'node10' || compiler !== 'typescript-7')
  test.for(known)('checks $file under $resolution', async ({ file, types, resolution, how }) => {
    const compilerOptions = {
      ...how,
      // TypeScript 5.4 knows neither es2023 as a target nor es2024.
      target: 'es2022',
      lib: [compiler === 'typescript-5.4' ? 'esnext' : 'es2024', 'dom', 'dom.iterable'],
      types,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck: false,
    }
    const config = `tsconfig.${file}.${resolution}.json`
    scratch.write(config, JSON.stringify({ compilerOptions, files: [file] }))
    const { output } = await scratch.run(
      'node',
      `node_modules/${compiler}/bin/tsc`,
      '--pretty',
      'false',
      '-p',
      config,
    )
    // The types of other libraries can need a newer compiler.
    const problems = output.split('\n').filter((line) => line.includes('error TS'))
    const isOurs = (line: string) => !line.startsWith('node_modules/') || line.includes('workspace-api-mock')
    expect(problems.filter(isOurs)).toEqual([])
    if (compiler !== 'typescript-5.4') expect(problems).toEqual([])
  })
})

/** The names that an editor offers at the position of `|`. */
function completionsAt(code: string): string[] {
  const file = `${scratch.folder}/editor.ts`
  const text = `import { test } from 'workspace-api-mock/vitest'\ntest('t', async ({ call, mock }) => {\n${code}\n})\n`
  const position = text.indexOf('|')
  const contents = text.replace('|', '')
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2023,
      strict: true,
      types: ['node'],
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const found =
        name === file ? contents : ts.sys.fileExists(name) ? readFileSync(name, 'utf8') : undefined
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found)
    },
    getCurrentDirectory: () => scratch.folder,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? contents : ts.sys.readFile(name)),
    directoryExists: (name) => ts.sys.directoryExists(name),
    getDirectories: (name) => ts.sys.getDirectories(name),
  })
  const found = service.getCompletionsAtPosition(file, position, {})
  const diagnosed = service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)
  service.dispose()
  return found?.entries.map(({ name }) => name).sort() ?? diagnosed.map(String)
}

describe('an editor completes', () => {
  test('operations', () => {
    expect(completionsAt("await call('|')")).toContain('createTask')
  })
  test('parameters', () => {
    expect(completionsAt("await call('createTask', { params: { | } })")).toEqual(['listId'])
  })
  test('fields of a body', () => {
    const fields = completionsAt("await call('createTask', { params: { listId: 'l' }, body: { | } })")
    expect(fields).toEqual(expect.arrayContaining(['title', 'priority', 'due_date']))
    expect(fields.length).toBeLessThan(20)
  })
  test('fields of a response', () => {
    expect(
      completionsAt("const { body } = await call('getJob', { params: { jobId: 'j' } }); body.|"),
    ).toEqual(expect.arrayContaining(['status', 'metadata']))
  })
  test('keys', () => {
    expect(completionsAt('mock.keys.|')).toContain('master')
  })
})
