// Files are written completely or not at all; the folder of `serve --snapshots` on a failing disk.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assertWritable, createFolder, writeFile } from '../../src/adapters/server/write-file.ts'
import { createWorkspaceMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { SnapshotFolder } from '../../src/tools/cli/serve/snapshots.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'snapshots-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('writeFile', () => {
  it('leaves the former file, and no other, when the check of the new one throws', () => {
    const file = join(folder, 'a.json')
    writeFile(file, 'former')
    const check = () => {
      throw new Error('not good')
    }
    expect(() => writeFile(file, 'new', check)).toThrow('not good')
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['former', ['a.json']])
    assertWritable(file)
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['former', ['a.json']])
  })

  it.each([
    ['is a folder', '', /cannot be written: .*(?:EISDIR|folder)/],
    ['is in a folder that does not exist', 'none/a.json', /a\.json cannot be written: ENOENT/],
    ['has a name that moves a terminal', 'n\u009bone/a.json', /n\\u009bone/],
  ])('names a file that %s', (_, name, message) => {
    expect(() => writeFile(join(folder, name), 'new')).toThrow(message)
    expect(() => assertWritable(join(folder, name))).toThrow(message)
  })
})

it.skipIf(process.platform === 'win32')(
  'createFolder creates all that is missing, and names a folder that it cannot create',
  () => {
    createFolder(join(folder, 'a', 'b'))
    createFolder(join(folder, 'a', 'b'))
    expect(readdirSync(join(folder, 'a'))).toEqual(['b'])
    expect(() => createFolder('/proc/none/below')).toThrow('/proc/none/below cannot be created')
  },
)

describe('serve --snapshots', () => {
  const open = () => {
    const snapshots = new SnapshotFolder(folder)
    const mock = createWorkspaceMock({ fixture: 'empty' })
    snapshots.load(mock)
    return snapshots.attach(mock)
  }

  it('answers 200 once a snapshot is in a file, and 500 with the reason when it cannot be', async () => {
    const mock = open()
    const server = await serve(mock, { port: 0 })
    const call = async (method: string, name: string) => {
      const response = await fetch(`${server.consoleUrl}snapshots/${name}`, { method })
      return [response.status, JSON.stringify(await response.json())]
    }
    try {
      expect(await call('PUT', 'kept')).toEqual([200, '{"name":"kept"}'])
      const kept = readFileSync(join(folder, 'kept.json'), 'utf8')
      mock.setPlan('free')
      rmSync(folder, { recursive: true })
      for (const name of ['kept', 'fresh'])
        expect(await call('PUT', name)).toEqual([500, expect.stringMatching(/cannot be written: ENOENT/)])
      expect(mock.snapshots.list().map(({ name }) => name)).toEqual(['kept'])
      mkdirSync(folder)
      writeFileSync(join(folder, 'kept.json'), kept)
      mock.snapshots.restore('kept')
      expect(mock.db.workspaces.findFirst()?.plan).not.toBe('free')
      expect(open().snapshots.list()).toHaveLength(1)
      expect(await call('DELETE', 'kept')).toEqual([200, '{"success":true}'])
      expect(readdirSync(folder)).toEqual([])
    } finally {
      await server.close()
    }
  })

  it.each<[string, (file: string) => unknown, RegExp]>([
    ['null', (file) => writeFileSync(file, 'null'), /must be an object with a state.*received null/],
    ['half a file', (file) => writeFileSync(file, '{"state":{"na'), /is not JSON/],
    ['a list', (file) => writeFileSync(file, '[]'), /must be an object with a state/],
    ['a folder', (file) => mkdirSync(file), /must be a regular file/],
    ['a pipe', (file) => spawnSync('mkfifo', [file]), /must be a regular file/],
  ])('refuses %s in its folder by its name', (_, create, message) => {
    create(join(folder, 'odd.json'))
    expect(open).toThrow(message)
    expect(open).toThrow(/odd\.json/)
  })
})
