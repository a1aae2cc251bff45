// Scenarios for existing spaces, lists and tasks.
import { idsOf } from '../../../contract/data/maps.ts'
import { isEmpty } from '../../../contract/data/objects.ts'
import { requireValue } from '../../deployment/stop.ts'
import { findFilledLists } from './own.ts'
import { reading, type ScenarioContext, type Scenario } from '../twin/player.ts'

/** Compares the lists in spaces with the listing, because a pull drops a list that is missing from either. */
async function compareListings(ctx: ScenarioContext): Promise<void> {
  const { spaces = [] } = await ctx.readTheirs('listSpaces')
  const inSpaces = spaces.flatMap(({ id, lists = [] }) => lists.map((list) => `${id} ${list.id}`))
  const { lists: listed = [] } = await ctx.readTheirs('listLists')
  for (const { id, space_id } of listed)
    if (!inSpaces.includes(`${space_id} ${id}`))
      ctx.differ('listSpaces', 'spaces[].lists', id, undefined, 'records')
}

/**
 * Reports values without a custom field and wrong modes, which a pull does not check. A key that the task itself has
 * is not a value.
 */
async function reportUnknownFields(
  ctx: ScenarioContext,
  { id, fields }: ScenarioContext['known']['lists'][number],
): Promise<void> {
  const { tasks = [] } = await ctx.readTheirs('listTasks', { listId: id }, '?limit=200')
  const used = tasks.flatMap((task) =>
    Object.keys(task.custom_data).filter((key) => !Object.hasOwn(task, key)),
  )
  const known = idsOf(fields)
  const unknown = used.find((key) => !known.includes(key))
  if (unknown !== undefined) ctx.differ('getListSchema', 'fields', unknown, known, 'records')
  for (const { id: field, mode } of fields) {
    const values = tasks.map(({ custom_data }) => custom_data[field]).filter((value) => !isEmpty(value))
    const shown = Array.isArray(values[0]) ? 'items' : 'select'
    if (mode !== undefined && values.length > 0 && shown !== mode)
      ctx.differ('getListSchema', 'fields[].mode', shown, mode)
  }
}

export const taskListingScenarios: readonly Scenario[] = [
  ...reading('contract, Limits', {
    'listTasks/pages: pages have 50 tasks unless limit says otherwise, 200 at most': async (ctx) => {
      const [fullest, ...others] = findFilledLists(ctx)
      const { id: listId, tasks } = requireValue(fullest, 'no public list has tasks')
      const pages = `? ?limit=1 ?limit=2&offset=1 ?limit=3&offset=2 ?offset=${String(tasks.length - 1)} ?offset=99999`
      await ctx.get('listTasks', { listId }, pages, '?limit=200 ?limit=101 ?limit=200&offset=200')
      for (const { id } of others.slice(0, 2))
        await ctx.get('listTasks', { listId: id }, '? ?limit=2&offset=1')
      ctx.says('page sizes above the maximum, and numbers out of range', 'assumption limitAboveMax')
      await ctx.get('listTasks', { listId }, '?limit=201 ?limit=0 ?limit=x ?offset=-1 ?offset=x')
    },
  }),
  ...reading('assumption taskStatusFilter', {
    'listTasks/status: status finds the tasks with that status': async (ctx) => {
      for (const { id: listId, statuses } of findFilledLists(ctx).slice(0, 2)) {
        const values = statuses.slice(0, 3).flatMap(({ id, name, type }) => [id, name, type])
        await ctx.get('listTasks', { listId }, ...values.map((status) => ({ status, limit: 5 })))
        await ctx.get('listTasks', { listId }, { status: 'verify none such' })
      }
    },
  }),
  ...reading('assumption queryText', {
    'listTasks/search: q finds the tasks whose title contains it': async (ctx) => {
      for (const { id: listId, tasks } of findFilledLists(ctx).slice(0, 2)) {
        const [one] = tasks
        if (!one) continue
        const { title, status_id: status } = one
        const parts = [title, title.slice(2, 7), title.slice(0, 4).toUpperCase(), title.slice(-4)]
        await ctx.get('listTasks', { listId }, ...parts.map((q) => ({ q, limit: 9 })))
        const none = ['', ' ', ` ${title.slice(0, 5)} `, 'verify none such', '%', '_'].map((q) => ({ q }))
        const both = { status, q: title.slice(0, 2), limit: 2, offset: 1 }
        await ctx.get('listTasks', { listId }, ...none, both)
      }
    },
  }),
  ...reading('contract, Task', {
    'getTask listTasks getListSchema/tasks: a task is the same whether read alone or listed': async (ctx) => {
      for (const list of findFilledLists(ctx).slice(0, 10)) {
        await reportUnknownFields(ctx, list)
        for (const { id: taskId } of list.tasks.slice(0, 3)) await ctx.get('getTask', { taskId })
      }
    },
  }),
  ...reading('contract, Endpoints', {
    'listComments listTimeEntries listTaskAttachments/parts: a task has comments, entries and files': async (
      ctx,
    ) => {
      for (const { tasks } of findFilledLists(ctx).slice(0, 4))
        for (const { id: taskId } of tasks.slice(0, 2)) {
          await ctx.get('listComments', { taskId })
          await ctx.get('listTimeEntries', { taskId })
          await ctx.get('listTaskAttachments', { taskId })
        }
    },
  }),
  ...reading('contract, Attachment', {
    'downloadTaskAttachment listTaskAttachments/download: a listed file can be downloaded': async (ctx) => {
      const isKnown = (id: string) =>
        ctx.known.lists.some(({ tasks }) => tasks.some((task) => task.id === id))
      const files = ctx.mock.db.attachments.findMany().filter(({ task_id }) => isKnown(task_id))
      const found = files.map(({ id, task_id }) => ({ taskId: task_id, attachmentId: id }))
      requireValue(found[0], 'no task has a file')
      for (const params of found.slice(0, 3)) {
        await ctx.get('listTaskAttachments', { taskId: params.taskId })
        await ctx.call('downloadTaskAttachment', { params })
      }
    },
  }),
  ...reading('contract, Space, List', {
    'listLists getList getListSchema listSpaces/structure: spaces have their lists, and lists their statuses and fields':
      async (ctx) => {
        await compareListings(ctx)
        for (const { id: listId } of ctx.known.lists.slice(0, 10)) {
          await ctx.get('getList', { listId })
          await ctx.get('getListSchema', { listId })
        }
      },
  }),
]
