// Owns the fixed points of the fixture `demo`.
import { describe, expect, it } from 'vitest'
import { columnTypes } from '../../src/contract/datatables.ts'
import { createWorkspaceMock } from '../../src/index.ts'
import { get } from './get.ts'

type Fields = Record<string, unknown>

describe('fixture demo', () => {
  const mock = createWorkspaceMock({ fixture: 'demo', selfCheck: true })
  const read = (path: string, key = 'wm_demo_master') => get(mock, path, key)
  const [demo] = mock.state().workspaces as unknown as Record<string, Fields[]>[]
  const part = (name: string) => demo?.[name] ?? []
  const lists = part('spaces').flatMap(({ lists: held }) => held as Fields[])
  const tasks = lists.flatMap(({ tasks: held }) => held as Fields[])

  it('starts at its moment, with its keys', () => {
    expect(mock.clock.now()).toBe(1_767_607_200)
    expect(mock.keys).toMatchObject({
      master: 'wm_demo_master',
      scoped: 'wm_demo_scoped',
      suspended: 'wm_demo_suspended',
      free: 'wm_free_master',
      business: 'wm_business_master',
      scale: 'wm_scale_master',
      lapsed: 'wm_lapsed_master',
    })
  })

  it.each([
    ['wm_demo_master', 200, 'pro'],
    ['wm_demo_scoped', 200, 'pro'],
    ['wm_demo_suspended', 402, undefined],
    ['wm_free_master', 200, 'free'],
    ['wm_business_master', 200, 'business'],
    ['wm_scale_master', 200, 'scale'],
    ['wm_lapsed_master', 403, undefined],
  ])('key %s answers %i on plan %s', async (key, status, plan) => {
    const reply = await read('/me', key)
    expect(reply.status).toBe(status)
    expect(reply.at('workspace.plan')).toBe(plan)
    if (status === 200) expect((await read('/datatables', key)).list('datatables').length).toBeGreaterThan(0)
  })

  it('has a scoped key that reads everything and writes tasks, comments and time', () => {
    const scoped = part('keys').find(({ key }) => key === 'wm_demo_scoped')
    expect(scoped?.kind).toBe('scoped')
    const scopes = scoped?.scopes as string[]
    const reads = [
      'workspace',
      'datatables',
      'rows',
      'jobs',
      'attachments',
      'spaces',
      'tasks',
      'comments',
      'time',
      'forms',
    ]
    const writes = ['tasks:write', 'comments:write', 'time:write']
    expect([...scopes].sort()).toEqual([...reads.map((name) => `${name}:read`), ...writes].sort())
  })

  it('has five members and the tables that were promised', async () => {
    expect((await read('/me')).list('members').length).toBeGreaterThanOrEqual(5)
    const tables = part('tables')
    const typesOf = (table: Fields) => (table.columns as Fields[]).map(({ type }) => type)
    expect(tables.some((table) => columnTypes.every((type) => typesOf(table).includes(type)))).toBe(true)
    expect(tables.some(({ locked }) => locked === true)).toBe(true)
    const listed = (await read('/datatables')).list('datatables') as Fields[]
    expect(listed.map(({ row_count }) => row_count)).toEqual(expect.arrayContaining([1200, 0]))
    const empty = tables.find(({ rows }) => (rows as unknown[]).length === 0)
    expect(empty && typesOf(empty)).toEqual(expect.arrayContaining(['text', 'number']))
  })

  it('has two spaces, a private list and a list of 230 tasks', async () => {
    expect((await read('/spaces')).list('spaces').length).toBeGreaterThanOrEqual(2)
    const isPrivate = lists.filter(({ is_private }) => is_private === true).map(({ id }) => id)
    expect(isPrivate.length).toBeGreaterThanOrEqual(1)
    const listed = (await read('/lists')).pluck('lists', 'id')
    for (const id of isPrivate) expect(listed).not.toContain(id)
    const sizes = lists.map(
      ({ tasks: held }) => (held as Fields[]).filter(({ deleted_at }) => deleted_at == null).length,
    )
    expect(sizes).toContain(230)
  })

  it('has custom fields of every kind, links in both modes among them', () => {
    const fields = lists.flatMap(({ fields: held }) => held as Fields[])
    const types = fields.map(({ type }) => type)
    const kinds = [
      'text',
      'longtext',
      'email',
      'phone',
      'link',
      'number',
      'currency',
      'slider',
      'checkbox',
      'date',
    ]
    expect(types).toEqual(
      expect.arrayContaining([...kinds, 'dropdown', 'tags', 'people', 'formula', 'datatable']),
    )
    expect(fields.map(({ mode }) => mode)).toEqual(expect.arrayContaining(['select', 'items']))
  })

  it('has comments of both kinds by several members and by the scoped key', () => {
    const comments = tasks.flatMap(({ comments: held }) => held as Fields[])
    expect(comments.map(({ content_type }) => content_type)).toEqual(
      expect.arrayContaining(['text', 'tiptap']),
    )
    expect(new Set(comments.map(({ author_id }) => author_id)).size).toBeGreaterThanOrEqual(2)
    expect(comments.map(({ key }) => key)).toContain('wm_demo_scoped')
  })

  it('has stopped and running time entries, and files on a task and a row', async () => {
    const entries = tasks.flatMap(({ time_entries: held }) => held as Fields[])
    expect(new Set(entries.map(({ is_running }) => Number(is_running)))).toEqual(new Set([0, 1]))
    const withFile = tasks.find(({ attachments }) => (attachments as Fields[]).length > 0)
    const attachments = await read(`/tasks/${String(withFile?.id)}/attachments`)
    const file = attachments.at('attachments.0') as Fields
    const bytes = await read(`/tasks/${String(withFile?.id)}/attachments/${String(file.id)}`)
    expect(bytes.bytes).toHaveLength(Number(file.size_bytes))
    expect(
      Object.keys((mock.state() as unknown as { files: Fields }).files).some((key) => key.startsWith('dt/')),
    ).toBe(true)
  })

  it('has forms of all kinds, and submissions at distinct times', () => {
    const forms = part('forms')
    const kinds = forms.map(
      ({ target_type, is_published }) => `${String(target_type)} ${Number(is_published)}`,
    )
    expect(kinds).toEqual(expect.arrayContaining(['task 1', 'datatable 1']))
    expect(kinds.some((kind) => kind.endsWith('0'))).toBe(true)
    const submissions = forms.map(({ submissions: held }) => held as Fields[])
    expect(Math.max(...submissions.map((held) => held.length))).toBeGreaterThanOrEqual(6)
    const created = submissions.flat().map(({ created_entity_type }) => created_entity_type)
    expect(new Set(created)).toEqual(new Set(['task', 'datatable_row']))
    for (const held of submissions)
      expect(new Set(held.map(({ created_at }) => created_at)).size).toBe(held.length)
  })

  it('has a task that repeats on schedule and one on completion', () => {
    const triggers = tasks.map(({ repeat_config }) => (repeat_config as Fields | null)?.trigger)
    expect(triggers).toEqual(expect.arrayContaining(['on_schedule', 'on_complete']))
  })

  it('can be exported, imported and exported to the same', () => {
    const exported = mock.state()
    const other = createWorkspaceMock({ fixture: exported })
    expect(other.state()).toEqual(exported)
    expect(other.clock.now()).toBe(mock.clock.now())
  })
})
