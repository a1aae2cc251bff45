// The rules of custom fields: what their declarations and the values of tasks look like.
import type { ServedCustomField } from '../../../contract/lists.ts'
import { expectSome, expectThat, idsOf } from '../../engine/expect.ts'
import { areTexts, fitsType, isText } from '../rows/cells.ts'
import { readRules, Unreachable, type Context } from '../../engine/rule.ts'

const optionIds = ({ options = [] }: ServedCustomField) =>
  options.flatMap((option) => ('id' in option ? [option.id] : []))

/** Whether a value fits the type of its field, of whose options the ids may not be shown. Assumption: typeChecks, relationValues */
function fits(field: ServedCustomField, value: unknown): boolean {
  const { type, mode } = field
  const areHidden = (type === 'dropdown' || type === 'tags') && optionIds(field).length === 0
  if (type !== 'datatable' && !areHidden) return fitsType(field, value)
  return mode === 'select' || type === 'dropdown' ? isText(value) : areTexts(value)
}

/** The fields of the lists with tasks, each with the values that the tasks hold. */
async function fieldsInUse({ seen }: Context) {
  const all: { readonly field: ServedCustomField; readonly values: readonly unknown[] }[] = []
  for (const { id } of (await seen.fullLists()).slice(0, 5)) {
    const tasks = await seen.tasks(id)
    for (const field of (await seen.listSchema(id)).fields)
      all.push({
        field,
        values: tasks
          .map(({ custom_data: data }) => data[field.id])
          .filter((value) => value !== undefined && value !== null),
      })
  }
  if (all.length === 0) throw new Unreachable('no list with tasks has custom fields')
  return all
}

export const customFieldRules = readRules('contract, CustomField', {
  'listTasks/custom-values: values of custom fields have the type of their field (assumption typeChecks)':
    async (context) => {
      for (const { field, values } of await fieldsInUse(context))
        for (const value of values)
          expectThat(fits(field, value), `a value of ${field.name}, of type ${field.type}`, value)
    },
  'getListSchema/formulas-readonly: formulas are readonly, fields of other types are not (assumption customFieldTypes)':
    async (context) => {
      for (const { field } of await fieldsInUse(context))
        expectThat(
          field.readonly === (field.type === 'formula'),
          `readonly of ${field.name}, of type ${field.type}`,
          field,
        )
    },
  'getListSchema/options: dropdowns and tags have their options, each once (assumption customFieldOptions)':
    async (context) => {
      for (const { field } of await fieldsInUse(context)) {
        if (field.type !== 'dropdown' && field.type !== 'tags') continue
        expectSome(field.options ?? [], () => true, `options of ${field.name}`)
        const ids = optionIds(field)
        expectThat(new Set(ids).size === ids.length, 'every option once', ids)
      }
    },
  'getListSchema/linked-tables: a datatable link leads to a table (contract, CustomField)': async (c) => {
    const links = (await fieldsInUse(c)).filter(({ field }) => field.type === 'datatable')
    if (links.length === 0) throw new Unreachable('no list with tasks has a datatable link')
    const tables = await c.seen.tables()
    for (const { field } of links) {
      const table = tables.find(({ id }) => id === field.table_id)
      expectThat(table !== undefined, `a table that is listed: ${idsOf(tables).join(', ')}`, field.table_id)
    }
  },
})
