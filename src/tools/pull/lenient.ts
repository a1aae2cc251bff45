// Removes and reports what does not fit: response bodies are checked against the contract's schemas, the fixture by
// loading it.
import { operations, type OperationId } from '../../contract/index.ts'
import { resolveSchema, type OperationSpec } from '../../contract/operation.ts'
import {
  defaultAnswers,
  resolveAnswers,
  type Answers,
  type AnswersInput,
} from '../../contract/questions/register.ts'
import {
  findMostSpecificIssue,
  formatPath,
  issueText,
  valueAt,
  type Path,
} from '../../contract/schema/issues.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { JsonObject } from '../../contract/schema/maps.ts'
import { quote } from '../../contract/text/quote.ts'
import { FixtureError } from '../../service/fixture/error.ts'
import { loadBase } from '../../service/fixture/load.ts'
import type { Fixture } from '../../../fixtures/types.ts'
import { findListing, isId } from './listings.ts'
import { toNote, toPlainNote, type Note, type Notes } from './notes.ts'

function findIdAt(root: unknown, path: Path): string | undefined {
  const ids = path.map((_, index) => valueAt(root, [...path.slice(0, index + 1), 'id']))
  return ids.findLast((id) => typeof id === 'string')
}

function remove(root: unknown, paths: readonly Path[]): void {
  const owners = new Set<unknown[]>()
  for (const path of paths) {
    const owner = valueAt(root, path.slice(0, -1))
    if (isObject(owner) || Array.isArray(owner)) Reflect.deleteProperty(owner, path.at(-1) ?? '')
    if (Array.isArray(owner)) owners.add(owner)
  }
  // Deleted items leave holes until the end, to keep the indexes in other paths valid.
  for (const owner of owners) {
    const left = owner.filter(() => true)
    owner.length = 0
    for (const item of left) owner.push(item)
  }
}

const noteRemoval = (where: Note, id: string | undefined, why: string): Note =>
  toNote`${where}${id === undefined ? toNote`` : toNote` of ${id}`} left out: ${why}`

/** Removes invalid values and records; allows unknown and missing fields. @param request the request's name in notes */
export function readBody(operation: OperationId, body: JsonObject, request: Note, notes: Notes) {
  const { success }: OperationSpec = operations[operation]
  const forms = [body.form, ...(Array.isArray(body.forms) ? (body.forms as unknown[]) : [])]
  const isRowForm = forms.some((one) => isObject(one) && one.target_type === 'datatable_row')
  // Answers that accept every record.
  const answers: Answers = {
    ...{ ...defaultAnswers, rowShape: 'flat', taskReadExtras: true },
    formTargetType: isRowForm ? 'datatable_row' : 'datatable',
  }
  const checked = 'schema' in success ? resolveSchema(success.schema, answers).safeParse(body) : undefined
  const content = body[findListing(operation)?.holds ?? '']
  for (const record of Array.isArray(content) ? (content as unknown[]) : []) {
    if (!isObject(record) || typeof record.id !== 'string' || isId(record.id)) continue
    const sentence = toNote`${request}: a record was left out: its id must not be ${quote(record.id)}`
    notes.lose(sentence, { kind: 'record', operation })
  }
  // Listed records need an id; field options may lack one.
  const isNeeded = (path: Path) => path.at(-1) === 'id' && !path.includes('options') && path.length > 2
  const issues = (checked?.error?.issues ?? [])
    .map(findMostSpecificIssue)
    .filter(
      ({ code, path }) =>
        code !== 'unrecognized_keys' && (valueAt(body, path) !== undefined || isNeeded(path)),
    )
  if (issues.length === 0) return { body, isCut: false }
  const read = structuredClone(body)
  for (const issue of issues) {
    const { path } = issue
    const id = findIdAt(body, path)
    const where = formatPath(path.filter((key) => typeof key !== 'number'))
    const kind = path.length > 2 ? 'value' : 'record'
    notes.lose(toNote`${request}: ${noteRemoval(toPlainNote(where), id, issueText(issue, body))}`, {
      kind,
      operation,
      id,
    })
  }
  remove(
    read,
    issues.map(({ path }) => path),
  )
  return { body: read, isCut: true }
}

/** Repairs repeat, because each removal can invalidate something else, such as a comment whose author was removed. */
const mostRepairs = 20

/** Splits a path such as `workspaces[0].tables[1].name`; keys may contain dots. */
function parsePath(path: string, value: unknown): Path {
  const [, index, below = ''] = /^\[(\d+)\]\.?(.*)$/s.exec(path) ?? []
  if (index !== undefined && Array.isArray(value))
    return [Number(index), ...parsePath(below, (value as unknown[])[Number(index)])]
  if (path === '' || !isObject(value)) return path === '' ? [] : [path]
  const [key = path] = Object.keys(value)
    .filter((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
    .sort((a, b) => b.length - a.length)
  return [key, ...parsePath(path.slice(key.length).replace(/^\./, ''), value[key])]
}

/** The part of a path that comes from user data. */
const contents = /\.(?:data|custom_data|field_config|rules|settings|content|description)\b.*/s

/** Removes what keeps a fixture from loading. @throws {FixtureError} if nothing more can be removed */
export function makeLoadable(
  made: Fixture,
  files: ReadonlyMap<string, string>,
  answers: AnswersInput,
  notes: Notes,
): Fixture {
  const options = { answers: resolveAnswers(answers), mostProblems: Infinity }
  for (let round = 0; ; round += 1) {
    const fixture = { ...made, files: round === 0 ? Object.fromEntries(files) : filterFiles(made, files) }
    try {
      loadBase(fixture, options)
      return fixture
    } catch (error) {
      if (!(error instanceof FixtureError) || round >= mostRepairs) throw error
      // Files of removed records are dropped in the next round.
      const problems = error.problems.filter(({ path }) => !path.startsWith('files['))
      const paths = problems.map(({ path, message }) => {
        const keys = parsePath(path, made)
        const name = keys.at(-1)
        const isField = name !== 'id' && name !== 'key' && valueAt(made, keys) !== undefined
        // If the field is missing or is the id, remove its whole record.
        const ends = isField ? keys.length : keys.findLastIndex((key) => typeof key === 'number') + 1
        const removed = keys.slice(0, ends)
        const id = findIdAt(made, removed)
        const text = formatPath(removed)
        const where = { text, anonymous: text.replace(contents, '').replaceAll(/\[\d+\]/g, '[*]') }
        const field = formatPath(keys.slice(removed.length)) || 'it'
        notes.lose(noteRemoval(where, id, field + message.slice(path.length)), { kind: 'value', id })
        return removed
      })
      // The workspace itself and fields outside it cannot be removed.
      if (paths.some((path) => path[0] !== 'workspaces' || path.length < 3)) throw error
      remove(made, paths)
    }
  }
}

function filterFiles(made: Fixture, files: ReadonlyMap<string, string>): Record<string, string> {
  const named = new Set<unknown>()
  JSON.stringify(made, (name, value: unknown) => {
    if (name === 'id' || name === 'key') named.add(value)
    return value
  })
  return Object.fromEntries([...files].filter(([key]) => named.has(key)))
}
