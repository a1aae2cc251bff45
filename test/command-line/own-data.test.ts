// `serve` with your own data: rows from CSV, and named snapshots that survive a restart.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { directory, fileOf, printed, run } from './support/command-line.ts'

const company = (rows: object[]) => ({
  name: 'company',
  clock: 1_767_607_200,
  workspaces: [
    {
      name: 'Company',
      members: [{ id: 'usr_ana', name: 'Ana Sousa' }],
      keys: [{ key: 'wm_company', name: 'master' }],
      tables: [
        {
          id: 'tbl_coffees',
          name: 'Coffees',
          columns: [
            { id: 'col_name', name: 'Name', type: 'text' },
            { id: 'col_bags', name: 'Bags in stock', type: 'number' },
          ],
          rows,
        },
      ],
    },
  ],
})

async function startServer(...flags: string[]) {
  const server = run('serve', '--port', '0', '--json', '--quiet', '--clock', 'manual', ...flags)
  const [line] = await printed(server, 'out', /^.*"listening".*$/m)
  const { url } = JSON.parse(line) as { url: string }
  const send = async (method: string, path: string): Promise<any> => {
    const response = await fetch(url + path, { method, headers: { authorization: 'Bearer wm_company' } })
    expect(response.status, path).toBe(200)
    return response.json()
  }
  const stop = async () => {
    server.child.kill('SIGTERM')
    await server.ended
  }
  return { server, send, stop }
}

it('serve --rows adds the rows of a CSV file to the table, and reset keeps them', async () => {
  const fixture = fileOf('csv-company.json', company([{ data: { col_name: 'First' } }]))
  const file = fileOf('coffees.csv', 'Name;Bags in stock\nYirga;12,5\nHuila;3\n')
  const { send, stop } = await startServer('--fixture', fixture, '--rows', `Coffees=${file}`)
  await send('POST', '/__mock/reset')
  const { rows } = await send('GET', '/v1/datatables/tbl_coffees/rows')
  expect(rows.map((row: any) => row.data)).toEqual([
    { col_name: 'First', col_bags: null },
    { col_name: 'Yirga', col_bags: 12.5 },
    { col_name: 'Huila', col_bags: 3 },
  ])
  await stop()
})

it.each<[string, string, string, RegExp]>([
  [
    'a wrong value',
    'Coffees',
    'Name,Bags in stock\na,1\nb,x\n',
    /^error: coffees\.csv, line 3, Bags in stock must be a finite number; received "x"$/m,
  ],
  [
    'no known column',
    'Coffees',
    'Bags in stok\n1\n',
    /^error: coffees\.csv, line 1 names "Bags in stok", but .*, the nearest is Bags in stock$/m,
  ],
  [
    'an unknown table',
    'Cofees',
    'Name\na\n',
    /^error: --rows must name a table, one of "tbl_coffees" \(Coffees\); received "Cofees"/m,
  ],
])('serve --rows with %s ends with 1 and says where', async (_, table, text, message) => {
  const fixture = fileOf('csv-company.json', company([]))
  const file = fileOf('coffees.csv', text)
  const server = run('serve', '--port', '0', '--fixture', fixture, '--rows', `${table}=${file}`)
  expect(await server.ended).toBe(1)
  expect(server.err).toMatch(message)
})

it('serve --rows warns of columns that are not written', async () => {
  const fixture = fileOf('csv-company.json', company([]))
  const file = fileOf('coffees.csv', 'Name,Bags in stok\na,1\n')
  const { server, send, stop } = await startServer('--fixture', fixture, '--rows', `Coffees=${file}`)
  expect(server.err).toContain(
    'warning: coffees.csv has columns that are ignored: "Bags in stok", the nearest is Bags in stock',
  )
  expect((await send('GET', '/v1/datatables/tbl_coffees/rows')).rows).toHaveLength(1)
  await stop()
})

/** What Excel writes as "CSV" (windows-1252), "CSV UTF-8" and "Unicode text" (UTF-16), and what other tools write. */
const encodings: [string, Buffer, ...string[]][] = [
  ['UTF-8', Buffer.from('Name\nZoë €\n')],
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFName\nZoë €\n')],
  ['UTF-16 little-endian', Buffer.from('\uFEFFName\tBags in stock\r\nZoë €\t1\r\n', 'utf16le')],
  ['UTF-16 big-endian', Buffer.from('\uFEFFName\nZoë €\n', 'utf16le').swap16()],
  ['windows-1252', Buffer.from('Name\nZo\xEB \x80\n', 'latin1'), '--encoding', 'windows-1252'],
]
it.each(encodings)('serve --rows reads a file in %s', async (_, bytes, ...flags) => {
  const fixture = fileOf('csv-company.json', company([]))
  const file = join(directory, 'coffees.csv')
  writeFileSync(file, bytes)
  const { send, stop } = await startServer('--fixture', fixture, '--rows', `Coffees=${file}`, ...flags)
  const { rows } = await send('GET', '/v1/datatables/tbl_coffees/rows')
  expect(rows.map((row: any) => row.data.col_name)).toEqual(['Zoë €'])
  await stop()
})

it.each<[string, string[], number, RegExp]>([
  [
    'bytes that are not UTF-8',
    [],
    1,
    /^error: coffees\.csv, line 2, column 3 is not UTF-8: save it as "CSV UTF-8", or .*--encoding windows-1252$/m,
  ],
  [
    'an unknown encoding',
    ['--encoding', 'windows-1225'],
    2,
    /received "windows-1225", the nearest is windows-1252/,
  ],
])('serve --rows refuses %s', async (_, flags, code, message) => {
  const fixture = fileOf('csv-company.json', company([]))
  const file = join(directory, 'coffees.csv')
  writeFileSync(file, Buffer.from('Name\nZo\xEB\n', 'latin1'))
  const server = run('serve', '--port', '0', '--fixture', fixture, '--rows', `Coffees=${file}`, ...flags)
  expect(await server.ended).toBe(code)
  expect(server.err).toMatch(message)
})

it.each<[string, string, RegExp]>([
  [
    '--fixture',
    '{"workspaces": [],\n "x" 1}',
    /^error: fixture file .*broken\.json is not JSON: line 2, column 6: unexpected "1"$/m,
  ],
  [
    '--answers',
    '{\n',
    /^error: answers file .*broken\.json is not JSON: line 2, column 1: the file ends too early$/m,
  ],
])('serve %s names the place where a file is not JSON', async (flag, text, message) => {
  const file = join(directory, 'broken.json')
  writeFileSync(file, text)
  const server = run('serve', '--port', '0', flag, file)
  expect(await server.ended).toBe(1)
  expect(server.err).toMatch(message)
})

it('serve --snapshots keeps named snapshots over restarts, over a changed fixture and over --watch', async () => {
  const fixture = fileOf('kept-company.json', company([{ id: 'row_old', data: { col_name: 'Old' } }]))
  const folder = join(directory, 'snapshots')
  const flags = ['--fixture', fixture, '--watch', '--snapshots', folder]
  const first = await startServer(...flags)
  await first.send('PUT', '/__mock/snapshots/before')
  await first.send('PUT', '/__mock/snapshots/other')
  await first.send('DELETE', '/__mock/snapshots/other')
  await first.stop()
  expect(readdirSync(folder)).toEqual(['before.json'])

  writeFileSync(fixture, JSON.stringify(company([{ id: 'row_new', data: { col_name: 'New' } }])))
  const second = await startServer(...flags)
  const idsOf = async () =>
    (await second.send('GET', '/v1/datatables/tbl_coffees/rows')).rows.map(({ id }: any) => id)
  expect(await idsOf()).toEqual(['row_new'])
  writeFileSync(fixture, JSON.stringify(company([])))
  await printed(second.server, 'out', /"reloaded"/)
  expect(await idsOf()).toEqual([])
  await second.send('POST', '/__mock/snapshots/before/restore')
  expect(await idsOf()).toEqual(['row_old'])
  await second.stop()
})

it('serve --snapshots with a file that is no state ends with 1 and names it', async () => {
  const folder = join(directory, 'broken')
  const server = run('serve', '--port', '0', '--snapshots', folder, '--coverage', join(directory, 'c.json'))
  await printed(server, 'out', /Console/)
  server.child.kill('SIGTERM')
  await server.ended
  writeFileSync(join(folder, 'half.json'), '{"state":')
  const broken = run('serve', '--port', '0', '--snapshots', folder)
  expect(await broken.ended).toBe(1)
  expect(broken.err).toMatch(/^error: snapshot .*half\.json is not JSON/m)
})
