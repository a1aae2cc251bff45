// Actions outside the API: plans, limits, billing, keys, locks, jobs, restored tasks, forms.
import * as z from 'zod/mini'
import { Flag } from '../../contract/schema/common.ts'
import { JsonObject } from '../../contract/schema/maps.ts'
import { Plan } from '../../contract/identity.ts'
import { parseOrThrow } from '../parse-or-throw.ts'
import { getRecord } from './records.ts'
import type { MockControls } from './mock-controls.ts'
import { ControlError, assertExists } from '../control-error.ts'
import { failJob, toJob } from '../../service/resources/jobs.ts'
import { toForm, toSubmission, publishForm, submitForm } from '../../service/resources/forms.ts'
import { toTask, restoreTask } from '../../service/resources/tasks.ts'
import { LimitChanges } from '../../contract/workspaces.ts'
import type { Store } from '../../service/store/store.ts'
import type { KeyRecord, WorkspaceRecord } from '../../contract/types.d.ts'

const Switch = z.boolean()

function getWorkspace(store: Store, id: string | undefined): WorkspaceRecord {
  if (id !== undefined) return getRecord(store, 'workspaces', id)
  const [first] = store.workspaces.all()
  return assertExists(first, 'workspace', 'first')
}

function getKey(store: Store, key: string): KeyRecord {
  const keys = store.keys.all()
  return assertExists(store.keys.get(key) ?? keys.find(({ name }) => name === key), 'key', key, () => keys)
}

export function createProductControls(store: () => Store) {
  /** Returns a copy, because the store shares its records. */
  const changeStore = <T>(change: (at: Store) => T): T => {
    const at = store()
    return structuredClone(at.change(() => change(at)))
  }
  const changeWorkspace = (
    id: string | undefined,
    change: (before: WorkspaceRecord) => Partial<WorkspaceRecord>,
  ) =>
    changeStore((at) => {
      const before = getWorkspace(at, id)
      return at.workspaces.put({ ...before, ...change(before) })
    })
  return {
    setPlan: (plan, workspaceId) => {
      const to = parseOrThrow(Plan, plan, 'plan')
      return changeWorkspace(workspaceId, () => ({ plan: to }))
    },
    setLimits: (limits, workspaceId) => {
      const given = parseOrThrow(LimitChanges, limits, 'limits')
      return changeWorkspace(workspaceId, (before) => {
        const merged = Object.entries({ ...before.limits, ...given }).filter(([, limit]) => limit !== 'plan')
        return { limits: Object.fromEntries(merged) }
      })
    },
    lapseBilling: (lapsed = true, workspaceId) => {
      const billing = parseOrThrow(Switch, lapsed, 'lapsed') ? 'lapsed' : 'ok'
      return changeWorkspace(workspaceId, () => ({ billing }))
    },
    suspendKey: (key, suspended = true) =>
      changeStore((at) => {
        const before = getKey(at, key)
        const { id, name } = at.keys.put({
          ...before,
          suspended: parseOrThrow(Switch, suspended, 'suspended'),
        })
        return { key: id, name, suspended }
      }),
    lockTable: (tableId, locked = true) =>
      changeStore((at) => {
        const before = getRecord(at, 'tables', tableId)
        const { id, name } = at.tables.put({ ...before, locked: parseOrThrow(Switch, locked, 'locked') })
        return { id, name, locked }
      }),
    failJob: (jobId) =>
      changeStore((at) => {
        const job = getRecord(at, 'jobs', jobId)
        if (job.completed_ms !== null) throw new ControlError(`job ${jobId} has ended: it is ${job.status}`)
        return toJob(failJob(at, job))
      }),
    restoreTask: (taskId) => changeStore((at) => toTask(at, restoreTask(at, taskId))),
    publishForm: (formId, published = true) => {
      const isPublished = Boolean(parseOrThrow(z.union([Switch, Flag]), published, 'is_published'))
      return changeStore((at) => toForm(at, publishForm(at, formId, isPublished)))
    },
    submitForm: (formId, data) => {
      const given = structuredClone(parseOrThrow(JsonObject, data, 'data'))
      return changeStore((at) => toSubmission(submitForm(at, formId, given)))
    },
  } satisfies Partial<MockControls>
}
