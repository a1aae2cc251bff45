// Takes out of a JSON value what is not usable: a field, or the item of an array that cannot do without it.
import { columnFields, optionFields, tableFields } from '../../contract/datatables.ts'
import { commentFields } from '../../contract/comments.ts'
import { formFields, submissionFields } from '../../contract/forms.ts'
import { fieldFields, listFields, statusFields } from '../../contract/lists.ts'
import type { Fields } from '../../contract/schema/fields.ts'
import { spaceFields } from '../../contract/spaces.ts'
import { attachmentFields } from '../../contract/task-attachments.ts'
import { taskFields } from '../../contract/tasks.ts'

export type Path = readonly PropertyKey[]

const resources: readonly Fields[] = [
  ...[tableFields, columnFields, optionFields, spaceFields, listFields, statusFields, fieldFields],
  ...[taskFields, commentFields, attachmentFields, formFields, submissionFields],
]

/** Names of the fields that a record of a fixture must have. */
const required = new Set([
  ...['id', 'key'],
  ...resources.flatMap((fields) =>
    Object.entries(fields).flatMap(([name, { options }]) =>
      options.fixture === 'required' || options.sent === 'required' ? [name] : [],
    ),
  ),
])

/** In the place of an item that is left out, until all are known. */
const gone = Symbol('left out')

const at = (value: unknown, key: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined

/** @returns the paths that could not be left out */
export function leaveOut(root: unknown, paths: readonly Path[]): Path[] {
  const shortened = new Set<unknown[]>()
  const left = paths.filter((path) => !isLeftOut(root, path, shortened))
  for (const list of shortened) list.splice(0, list.length, ...list.filter((item) => item !== gone))
  return left
}

function isLeftOut(root: unknown, path: Path, shortened: Set<unknown[]>): boolean {
  const values = path.reduce<unknown[]>((known, key) => [...known, at(known.at(-1), key)], [root])
  if (values.includes(gone)) return true
  const name = path.at(-1)
  const owner = values.at(-2)
  const isField = typeof name === 'string' && typeof owner === 'object' && owner !== null
  const index = path.findLastIndex((key) => typeof key === 'number')
  const isOptional = isField && Object.hasOwn(owner, name) && !required.has(name)
  if (isField && (isOptional || index < 0)) return Reflect.deleteProperty(owner, name)
  const list = values[index]
  if (!Array.isArray(list)) return false
  list[Number(path[index])] = gone
  shortened.add(list)
  return true
}
