// What `init` writes: a fixture that loads and a test next to it, without overwriting anything.
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorkspaceMock } from '../../src/index.ts'
import { initCommand } from '../../src/tools/cli/init.ts'

describe('init', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'workspace-api-mock-init-'))
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    rmSync(folder, { recursive: true })
  })

  it('writes a fixture that loads and a test', () => {
    initCommand(folder)
    expect(readdirSync(folder)).toEqual(['workspace.fixture.json', 'workspace.test.ts'])
    const fixture = JSON.parse(readFileSync(join(folder, 'workspace.fixture.json'), 'utf8'))
    expect(createWorkspaceMock({ fixture }).keys).toEqual({ master: 'wm_company_master' })
  })

  it.each(['.', 'tests/api', 'a/b/c'])('writes a $schema into %s that leads to the package', (below) => {
    writeFileSync(join(folder, 'package.json'), '{}')
    initCommand(join(folder, below))
    const { $schema } = JSON.parse(readFileSync(join(folder, below, 'workspace.fixture.json'), 'utf8'))
    const installed = join(folder, 'node_modules/workspace-api-mock/fixtures/fixture.schema.json')
    expect(join(folder, below, $schema)).toBe(installed)
    expect($schema).toMatch(/^\./)
  })

  it('writes a test that imports only packages to install and the fixture', () => {
    initCommand(folder)
    const test = readFileSync(join(folder, 'workspace.test.ts'), 'utf8')
    expect(Array.from(test.matchAll(/ from '(.+?)'/g), ([, name]) => name)).toEqual([
      'vitest',
      'workspace-api-mock',
      'workspace-api-mock/vitest',
      './workspace.fixture.json',
    ])
  })

  it('creates a missing folder', () => {
    initCommand(join(folder, 'tests', 'api'))
    expect(readdirSync(join(folder, 'tests', 'api'))).toHaveLength(2)
  })

  it('overwrites nothing', () => {
    initCommand(folder)
    expect(() => initCommand(folder)).toThrow('workspace.fixture.json already exists and is not overwritten')
  })

  it('writes nothing where one of the files exists', () => {
    writeFileSync(join(folder, 'workspace.test.ts'), 'mine')
    expect(() => initCommand(folder)).toThrow('workspace.test.ts already exists and is not overwritten')
    expect(readdirSync(folder)).toEqual(['workspace.test.ts'])
    expect(readFileSync(join(folder, 'workspace.test.ts'), 'utf8')).toBe('mine')
  })

  it('creates no file where a link leads to one that does not exist yet', () => {
    symlinkSync(join(folder, 'elsewhere.json'), join(folder, 'workspace.fixture.json'))
    expect(() => initCommand(folder)).toThrow('workspace.fixture.json already exists and is not overwritten')
    expect(readdirSync(folder)).toEqual(['workspace.fixture.json'])
  })

  it('prints the files that it has written', () => {
    initCommand(folder)
    const [first, second] = vi.mocked(process.stdout.write).mock.calls.map(([text]) => text)
    expect([first, second].join('')).toContain(join(folder, 'workspace.fixture.json'))
    expect(second).toContain(join(folder, 'workspace.test.ts'))
  })

  it('names a folder that cannot be created', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => initCommand(join(folder, 'file'))).toThrow(/file cannot be created: EEXIST/)
  })
})
