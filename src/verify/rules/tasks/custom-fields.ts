// The rules of custom fields: what their declarations and the values of tasks look like.
import type { ServedCustomField } from '../../../contract/lists.ts'
import { expectOnce, expectSome, expectThat } from '../../engine/expect.ts'
import { areTexts, fitsType, isText } from '../rows/cells.ts'
import { Unreachable } from '../../engine/drift.ts'
import { rulesOn } from '../../engine/rule.ts'
import { idsOf } from '../../../contract/data/maps.ts'

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
const fieldRules = rulesOn('read', async (context) => {
  const { seen } = context
  const all: { readonly field: ServedCustomField; readonly values: readonly unknown[] }[] = []
  for (const { id } of (await seen.fullLists()).slice(0, 5)) {
    const tasks = await seen.tasks(id)
    for (const field of (await seen.listSchema(id)).fields) {
      const values = tasks.map(({ custom_data }) => custom_data[field.id])
      all.push({ field, values: values.filter((value) => value !== undefined && value !== null) })
    }
  }
  if (all.length === 0) throw new Unreachable('no list with tasks has custom fields')
  return { ...context, all, fields: all.map(({ field }) => field) }
})

export const customFieldRules = fieldRules('contract, CustomField', {
  'listTasks/custom-values: values of custom fields have the type of their field (assumption typeChecks)': ({
    all,
  }) => {
    for (const { field, values } of all)
      for (const value of values)
        expectThat(fits(field, value), `a value of ${field.name}, of type ${field.type}`, value)
  },
  'getListSchema/formulas-readonly: formulas are readonly, fields of other types are not (assumption customFieldTypes)':
    ({ fields }) => {
      for (const field of fields) {
        const isRight = field.readonly === (field.type === 'formula')
        expectThat(isRight, `readonly of ${field.name}, of type ${field.type}`, field)
      }
    },
  'getListSchema/options: dropdowns and tags have their options, each once (assumption customFieldOptions)':
    ({ fields }) => {
      for (const field of fields.filter(({ type }) => type === 'dropdown' || type === 'tags')) {
        expectSome(field.options ?? [], () => true, `options of ${field.name}`)
        expectOnce('option ids', optionIds(field))
      }
    },
  'getListSchema/linked-tables: a datatable link leads to a table (contract, CustomField)': async (c) => {
    const links = c.fields.filter(({ type }) => type === 'datatable')
    if (links.length === 0) throw new Unreachable('no list with tasks has a datatable link')
    const tables = idsOf(await c.seen.tables())
    for (const { table_id = '' } of links)
      expectThat(tables.includes(table_id), `a table that is listed: ${tables.join(', ')}`, table_id)
  },
})
