// Mutants of fragile values, and of side effects of writes.
import { jsonResponse } from './deployment.ts'
import { behaves, misheard, mutant, shownBy, ifWritten, type Mutant } from './mutant.ts'

const replaceTexts = (value: any, change: (text: string) => string): any => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaceTexts(inner, change)]))
}

/** Stores altered strings. */
const spoils = (operation: Mutant['operation'], wrong: string, change: (text: string) => string) =>
  misheard(operation, 'behaviour', wrong, (asked) => {
    if (asked.json?.data) asked.json.data = replaceTexts(asked.json.data, change)
  })

const rounds = (digits: number) => (data: any) =>
  Object.fromEntries(
    Object.entries(data ?? {}).map(([name, value]) => [
      name,
      typeof value === 'number' && Math.abs(value) < 1e6 ? Number(value.toFixed(digits)) : value,
    ]),
  )

const filtersOf = (json: any): any[] => json?.filters ?? []
const hasText = (filter: any, part: string) => String(filter.value).includes(part)
const trimmed = (text: string | null) => text?.trim() ?? ''

export const valueMutants: readonly Mutant[] = [
  spoils('createRow', 'makes one kind of line end of both', (text) => text.replaceAll('\r\n', '\n')),
  spoils('updateRow', 'joins letters and their accents', (text) => text.normalize('NFC')),
  spoils('updateRow', 'drops control characters', (text) => text.replaceAll('\u0001', '')),
  spoils('updateRow', 'makes blanks of tabs', (text) => text.replaceAll('\t', ' ')),
  misheard('updateRow', 'behaviour', 'rounds numbers to two digits', (asked) => {
    if (asked.json?.data) asked.json.data = rounds(2)(asked.json.data)
  }),
  misheard('createRow', 'behaviour', 'rounds numbers to four digits', (asked) => {
    if (asked.json?.data) asked.json.data = rounds(4)(asked.json.data)
  }),
  misheard('queryRows', 'behaviour', 'takes % in contains for any text', (asked) => {
    for (const filter of filtersOf(asked.json))
      if (filter.operator === 'contains' && hasText(filter, '%')) filter.operator = 'is_not_empty'
  }),
  misheard('queryRows', 'behaviour', 'takes _ in contains for any letter', (asked) => {
    for (const filter of filtersOf(asked.json))
      if (filter.operator === 'contains' && filter.value === '_') filter.operator = 'is_not_empty'
  }),
  misheard('listTasks', 'behaviour', 'cuts blanks off q', ({ query }) => {
    if (query.has('q')) query.set('q', trimmed(query.get('q')))
  }),
  ifWritten(
    misheard('bulkInsertRows', 'behaviour', 'leaves null among rows out', (asked) => {
      const { rows } = asked.json ?? {}
      if (Array.isArray(rows) && rows.some((row) => row !== null))
        asked.json.rows = rows.filter((row: unknown) => row !== null)
    }),
  ),
  shownBy(
    'getJob',
    misheard('submitInsertJob', 'behaviour', 'ignores unknown keys of rows', (asked) => {
      for (const row of asked.json?.rows ?? []) if (row) delete row.verify_no_such_column
    }),
  ),
  misheard('updateTask', 'status', 'takes 8:30 for a time', (asked) => {
    const config = asked.json?.repeat_config
    if (config?.time === '8:30') config.time = '08:30'
  }),
  misheard('createTask', 'behaviour', 'sorts assignees', (asked) => {
    asked.json?.assignees?.sort?.()
  }),
  misheard('updateTask', 'behaviour', 'sorts assignees', (asked) => {
    asked.json?.assignees?.sort?.()
  }),
  ifWritten(
    behaves('listComments', 'lists the comment that was edited last at the end', (json) => {
      json.comments.sort((a: any, b: any) => (a.updated_at ?? a.created_at) - (b.updated_at ?? b.created_at))
    }),
  ),
  ifWritten(
    mutant('getTask', 'behaviour', 'moves updated_at with each comment', {
      ask: async (asked) => {
        const { comments = [] } = await asked.get(`/tasks/${asked.params.taskId}/comments`)
        asked.headers.set('x-newest', String(comments.at(-1)?.created_at ?? 0))
      },
      reply: ({ status, json }, asked) => {
        if (status === 200) json.updated_at = Math.max(json.updated_at, Number(asked.headers.get('x-newest')))
      },
    }),
  ),
  shownBy(
    'listTaskAttachments',
    misheard(
      'deleteTaskAttachment',
      'behaviour',
      'removes all but one of the files of one name',
      async (asked) => {
        const { taskId = '', attachmentId } = asked.params
        const { attachments = [] } = await asked.get(`/tasks/${taskId}/attachments`)
        const one = attachments.find(({ id }: any) => id === attachmentId)
        const others = attachments.filter(
          ({ id, filename }: any) => id !== attachmentId && filename === one?.filename,
        )
        for (const { id } of others.slice(1)) await asked.send('DELETE', `/tasks/${taskId}/attachments/${id}`)
      },
    ),
  ),
  misheard('uploadTaskAttachment', 'limit', 'refuses a file as large as the limit', async (asked) => {
    if (asked.text.length > 4096) asked.instead = jsonResponse(413, { error: 'too large' })
  }),
  misheard('submitInsertJob', 'limit', 'refuses as many rows as a job takes', async (asked) => {
    if (asked.json?.rows?.length === 50_000) asked.instead = jsonResponse(413, { error: 'too many' })
  }),
  behaves('listForms', 'shows slugs with blanks', (json) => {
    for (const form of json.forms) form.slug = `${form.slug.replaceAll('-', ' ')} x`
  }),
  behaves('listRows', 'shows autonumbers without their zeros', (json) => {
    json.rows = replaceTexts(json.rows, (text) => text.replace(/^([A-Z]+-)0+(\d+)$/, '$1$2'))
  }),
  shownBy(
    'downloadTaskAttachment',
    misheard('deleteTask', 'behaviour', 'leaves the files of the task to be downloaded', async (asked) => {
      const { taskId = '' } = asked.params
      const { attachments = [] } = await asked.get(`/tasks/${taskId}/attachments`)
      if (attachments.length > 0) asked.instead = jsonResponse(200, { success: true })
    }),
  ),
  misheard('createRow', 'behaviour', 'lowers addresses of mail', ({ json }) => {
    if (json?.data)
      json.data = replaceTexts(json.data, (text) => (text.includes('@') ? text.toLowerCase() : text))
  }),
  misheard('bulkInsertRows', 'behaviour', 'stores two blanks as one', ({ json }) => {
    if (json?.rows) json.rows = replaceTexts(json.rows, (text) => text.replaceAll(/ {2,}/g, ' '))
  }),
  misheard('queryRows', 'behaviour', 'trims what texts start with', ({ json }) => {
    for (const filter of filtersOf(json))
      if (filter.operator === 'starts_with') filter.value = trimmed(String(filter.value))
  }),
  misheard('updateTimeEntry', 'behaviour', 'trims notes', ({ json }) => {
    if (typeof json?.note === 'string') json.note = trimmed(json.note)
  }),
  misheard('updateList', 'behaviour', 'stores one kind of line end in names', ({ json }) => {
    if (typeof json?.name === 'string') json.name = json.name.replaceAll('\r\n', '\n')
  }),
]
