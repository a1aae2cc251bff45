// Owns what the product does outside its API: plans, limits, billing, keys, locks, restored tasks, forms.
import { Plan } from '../contract/identity.ts'
import { describeIssues } from '../contract/issues.ts'
import type { MockControls } from './mock-controls.ts'
import { ControlError, assertExists } from '../core/control-error.ts'
import { toForm, toSubmission, publishForm, submitForm } from '../resources/forms.ts'
import { toTask, restoreTask } from '../resources/tasks.ts'
import { Limits, type KeyRecord, type WorkspaceRecord } from '../contract/workspaces.ts'
import type { Store } from '../store/store.ts'

type ProductControls = Pick<
  MockControls,
  | 'setPlan'
  | 'setLimits'
  | 'lapseBilling'
  | 'suspendKey'
  | 'lockTable'
  | 'restoreTask'
  | 'publishForm'
  | 'submitForm'
  | 'workspaceOfKey'
>

function workspaceById(store: Store, id: string | undefined): WorkspaceRecord {
  if (id !== undefined) return assertExists(store.workspaces.get(id), 'workspace', id)
  const [first] = store.workspaces.all()
  return assertExists(first, 'workspace', 'first')
}

function keyByNameOrValue(store: Store, key: string): KeyRecord {
  return assertExists(store.keys.get(key) ?? store.keys.all().find(({ name }) => name === key), 'key', key)
}

export function productControls(store: () => Store): ProductControls {
  /** What is answered is a copy: records are shared with the store. */
  const changed = <T>(change: (at: Store) => T): T => {
    const at = store()
    return structuredClone(at.change(() => change(at)))
  }
  const changeWorkspace = (
    id: string | undefined,
    change: (before: WorkspaceRecord) => Partial<WorkspaceRecord>,
  ) =>
    changed((at) => {
      const before = workspaceById(at, id)
      return at.workspaces.put({ ...before, ...change(before) })
    })
  return {
    setPlan: (plan, workspaceId) => {
      const checked = Plan.safeParse(plan)
      if (!checked.success) throw new ControlError(describeIssues(checked.error, plan, 'plan'))
      return changeWorkspace(workspaceId, () => ({ plan: checked.data }))
    },
    setLimits: (limits, workspaceId) => {
      const checked = Limits.safeParse(limits)
      if (!checked.success) throw new ControlError(describeIssues(checked.error, limits, 'limits'))
      return changeWorkspace(workspaceId, (before) => ({ limits: { ...before.limits, ...checked.data } }))
    },
    lapseBilling: (lapsed = true, workspaceId) =>
      changeWorkspace(workspaceId, () => ({ billing: lapsed ? 'lapsed' : 'ok' })),
    suspendKey: (key, suspended = true) =>
      changed((at) => {
        const { id, name } = at.keys.put({ ...keyByNameOrValue(at, key), suspended })
        return { key: id, name, suspended }
      }),
    lockTable: (tableId, locked = true) =>
      changed((at) => {
        const { id, name } = at.tables.put({
          ...assertExists(at.tables.get(tableId), 'datatable', tableId),
          locked,
        })
        return { id, name, locked }
      }),
    restoreTask: (taskId) => changed((at) => toTask(at, restoreTask(at, taskId))),
    publishForm: (formId, published = true) =>
      changed((at) => toForm(at, publishForm(at, formId, published))),
    submitForm: (formId, data) =>
      changed((at) => toSubmission(submitForm(at, formId, structuredClone(data)))),
    workspaceOfKey: (key) => {
      const at = store()
      if (key === null) return workspaceById(at, undefined)
      const record = at.keys.get(key)
      if (!record) throw new ControlError('the key in Authorization is not known')
      return workspaceById(at, record.workspace_id)
    },
  }
}
