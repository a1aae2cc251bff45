// Schemas of the inputs and results of all controls, for the control API's OpenAPI document. Inputs use the schemas
// that validate them, if there are any; types keep most other shapes complete. A test compares all with the server.
import * as z from 'zod/mini'
import { errorKinds } from '../../contract/errors.ts'
import { Form, FormSubmission } from '../../contract/forms.ts'
import { Job } from '../../contract/jobs.ts'
import { plans } from '../../contract/limits.ts'
import { questions, defaultAnswers } from '../../contract/questions/register.ts'
import { resources } from '../../contract/resources.ts'
import { operationIds } from '../../contract/scopes.ts'
import { Task } from '../../contract/tasks.ts'
import { copyFormats } from '../../mock/copies/copy-as.ts'
import type { SnapshotSummary } from '../../mock/controls/snapshots.ts'
import { effectShapes } from '../../mock/faults/effect-spec.ts'
import { faultSpecSchema } from '../../mock/faults/fault-spec.ts'
import type { JournalEntry, JournalSummary } from '../../mock/journal/entry.ts'
import {
  journalFilterSchema,
  SecondsFilter,
  statusClasses,
  StatusFilter,
} from '../../mock/journal/journal.ts'
import { CountArgument } from '../../mock/parse-or-throw.ts'
import { reportOptionsSchema, type Finding } from '../../mock/sandboxes/client-report.ts'
import { seedSchema } from '../../service/fixture/schema.ts'
import type { SandboxSummary } from '../control-api/console-controls.ts'
import { DbFields } from '../control-api/db.ts'
import type { WorkspaceOverview } from '../control-api/inspect.ts'
import { WorkspaceChange } from '../control-api/own.ts'
import { OpenApiQuery } from './control-routes.ts'
import { rowPageSchema } from '../control-api/rows.ts'
import { simplifySchema, type JsonSchema } from '../../contract/schema/json-schema.ts'

const text = z.string()
const count = z.int()
const number = z.number()
const flag = z.boolean()
const any = z.unknown()
const yes = z.literal(true)
const object = z.record(text, any)

/** A schema, a list of one shape, or an object of shapes, in which names that end with a question mark are optional. */
type ControlShape = z.ZodMiniType | readonly ControlShape[] | { readonly [name: string]: ControlShape }
/** A shape with every field of a type. */
type ShapeOf<T> = {
  readonly [Name in keyof T & string as object extends Pick<T, Name> ? `${Name}?` : Name]-?: ControlShape
}

function toZod(shape: ControlShape): z.ZodMiniType {
  if (shape instanceof z.ZodMiniType) return shape
  if (Array.isArray(shape)) return z.array(toZod((shape as readonly ControlShape[])[0] ?? any))
  const fields = Object.entries(shape).map(([name, one]) =>
    name.endsWith('?') ? [name.slice(0, -1), z.optional(toZod(one))] : [name, toZod(one)],
  )
  return z.object(Object.fromEntries(fields) as Record<string, z.ZodMiniType>)
}

/** JSON Schemas of the zod schemas that validate with a function. */
const customChecks = z.registry<JsonSchema>()
customChecks.add(CountArgument, { type: 'integer', minimum: 0 })
customChecks.add(SecondsFilter, { type: 'integer', minimum: 0 })
customChecks.add(StatusFilter, { anyOf: [{ type: 'integer' }, { enum: statusClasses }] })

/** Lets the objects in results have additional fields, so that they can gain fields later. */
function openObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(openObjects)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(schema).filter(
    ([key, value]) => key !== 'additionalProperties' || value !== false,
  )
  return Object.fromEntries(parts.map(([key, value]) => [key, openObjects(value)]))
}

const orNull = (shape: ControlShape) => z.nullable(toZod(shape))
const mapOf = (shape: ControlShape) => z.record(text, toZod(shape))
const clockMode = z.enum(['manual', 'system'])
const clock = { now: count, mode: clockMode }
const operation = z.enum(operationIds)
const success = { success: yes }
/** A record of any resource; only its id is described. */
const record = z.looseObject({ id: text })
const snapshot = { version: z.literal(1), base: text }
const fixture = {
  'name?': text,
  'clock?': count,
  workspaces: [object],
  'files?': mapOf(text),
  'runtime?': object,
} as const

/** Shapes shared by several controls. Created on first use, like the schemas in them. */
function createParts() {
  const change = { resource: text, id: text, change: z.enum(['created', 'changed', 'deleted']) }
  const summary = {
    id: count,
    at: count,
    atMs: count,
    method: text,
    path: text,
    'outside?': text,
    query: mapOf(text),
    operation: orNull(operation),
    params: mapOf(text),
    key: orNull(text),
    'label?': text,
    status: count,
    refusal: orNull(z.enum(Object.keys(errorKinds))),
    responseHeaders: mapOf(text),
    changes: [change],
    'moreChanges?': count,
    fault: orNull(text),
    'injected?': yes,
    'delayMs?': number,
    'console?': yes,
    'breaches?': [text],
    'partial?': { failed: count, of: count },
  } satisfies ShapeOf<JournalSummary>
  const sized = { sizeBytes: count, contentType: text, 'truncated?': yes, 'parts?': [any] } as const
  const body = z.union([z.null(), ...[{ json: any }, { text }, sized].map(toZod)])
  const fields = [{ field: text, 'before?': any, 'after?': any }]
  const entry = {
    ...summary,
    changes: [{ ...change, 'fields?': fields }],
    requestBody: body,
    responseBody: body,
  } satisfies ShapeOf<JournalEntry>
  const effects = Object.entries({ ...effectShapes, answers: object }).map(([name, shape]) =>
    z.strictObject({ [name]: shape }),
  )
  const spec = z.extend(faultSpecSchema.def.getter(), { effect: z.optional(z.union(effects)) })
  const finding = {
    rule: text,
    severity: z.enum(['error', 'warning', 'info']),
    message: text,
    operation: orNull(operation),
    'operations?': [operation],
    'question?': text,
    count,
    requests: [count],
    offending: [count],
  } satisfies ShapeOf<Finding>
  const counts = {
    label: orNull(text),
    requests: count,
    errors: count,
    faults: count,
    lastAtMs: orNull(count),
    findings: count,
  } satisfies Omit<ShapeOf<SandboxSummary>, 'name'>
  return {
    summary,
    entry,
    spec,
    fault: { ...spec.shape, id: text, hits: count, problem: orNull(text) },
    finding,
    counts,
  }
}

/** The query or body fields that each control takes, or its whole body. */
function listTaken({ spec }: ReturnType<typeof createParts>): Readonly<Record<string, ControlShape>> {
  const answers = Object.entries(questions).map(([id, { schema }]) => [`${id}?`, schema()] as const)
  const seeded = Object.keys(seedSchema().shape).map(
    (name) => [`${name}?`, name === 'files' ? mapOf(text) : [object]] as const,
  )
  return {
    'clock.change': clock,
    'clock.advance': { ms: number.check(z.gte(0)), by: text },
    requests: journalFilterSchema,
    requestSummaries: journalFilterSchema,
    copyAs: { as: z.enum(copyFormats), ids: text },
    report: reportOptionsSchema,
    changeWorkspace: WorkspaceChange,
    suspendKey: { suspended: flag },
    lockTable: { locked: flag },
    publishForm: { is_published: z.literal([true, false, 0, 1]) },
    submitForm: { data: object },
    addCsv: { file: text, text },
    'db.create': DbFields,
    'db.change': DbFields,
    'db.remove': DbFields,
    'console.search': { text, of: text },
    'console.journals': { of: text, before: count, after: text, limit: count },
    'console.whole': { of: text },
    'console.contents': { of: text },
    run: { sandbox: text },
    'inspect.rows': rowPageSchema,
    openApi: OpenApiQuery,
    fault: spec,
    setAnswers: Object.fromEntries(answers),
    loadState: fixture,
    seed: Object.fromEntries(seeded),
    restore: snapshot,
    'snapshots.add': snapshot,
  }
}

/** The result of each control, without the field that wraps it. */
function listAnswered(parts: ReturnType<typeof createParts>): Readonly<Record<string, ControlShape>> {
  const { summary, entry, fault, finding, counts } = parts
  const form = Form(defaultAnswers)
  const changes = [{ resource: text, created: count, changed: count, deleted: count }]
  const remedy = { label: text, code: text, 'control?': text, args: [any], 'key?': text } as const
  const rows = { rows: [record], total: count, 'links?': mapOf(any) } as const
  const times = { 'arrivedMs?': number, 'tookMs?': number }
  const outcome = { status: count, case: text, natural: count, byFault: count }
  const sandbox = { sandbox: orNull(text) }
  const document = { openapi: text, info: object, paths: object }
  return {
    health: { status: z.literal('ok'), fixture: text, clock },
    reset: { ...success, fixture: text, clock },
    sandboxes: [text],
    sandboxSummaries: [{ name: text, ...counts }],
    deleteSandbox: success,
    'clock.read': clock,
    'clock.change': clock,
    'clock.advance': clock,
    faults: [fault],
    usedFaults: [fault],
    fault,
    resetFaults: success,
    removeFault: success,
    requests: [entry],
    requestSummaries: [summary],
    request: entry,
    reason: orNull({ rule: text, facts: [text], remedies: [remedy] }),
    clearRequests: success,
    copyAs: text,
    har: {
      log: { version: z.literal('1.2'), creator: { name: text, version: text }, entries: [object] },
    },
    coverage: { operations: [{ operation, requests: count, outcomes: [outcome] }] },
    report: [finding],
    explain: text,
    questions: [
      {
        id: text,
        part: text,
        source: text,
        notShown: text,
        schema: object,
        default: any,
        meanings: [{ answer: any, meaning: text }],
        operations: [operation],
        fixed: flag,
      },
    ],
    answers: object,
    setAnswers: object,
    state: fixture,
    loadState: fixture,
    seed: mapOf([text]),
    snapshot,
    restore: success,
    'snapshots.names': [text],
    'snapshots.list': [
      {
        name: text,
        clock: count,
        sizeBytes: count,
        changes: orNull(changes),
      } satisfies ShapeOf<SnapshotSummary>,
    ],
    'snapshots.read': snapshot,
    'snapshots.add': { name: text },
    'snapshots.save': { name: text },
    'snapshots.delete': success,
    'snapshots.restore': { name: text, clock },
    changeWorkspace: resources.workspaces.schema,
    suspendKey: { key: text, name: text, suspended: flag },
    lockTable: { id: text, name: text, locked: flag },
    failJob: Job,
    restoreTask: Task(defaultAnswers),
    publishForm: form,
    submitForm: FormSubmission,
    addCsv: { added: count, ignored: [text] },
    'db.create': record,
    'db.change': record,
    'db.remove': success,
    'console.search': [{ ...sandbox, upTo: count, ids: [count] }],
    'console.journals': [{ ...summary, ...sandbox, ...times, 'sent?': text }],
    'console.whole': {
      ...times,
      'headers?': mapOf(text),
      contentType: orNull(text),
      requestBody: orNull(object),
      responseBody: orNull(object),
    },
    'console.rules': [
      {
        id: text,
        severity: z.enum(['error', 'warning', 'info']),
        condition: text,
        advice: text,
        source: text,
      },
    ],
    'console.contents': {
      runs: [{ name: orNull(text), ...counts, kept: count, dropped: count }],
      contents: [{ ...sandbox, faults: [fault], findings: [finding] }],
    },
    'inspect.overview': {
      clock: { now: count, nowMs: count, mode: clockMode },
      due: [{ kind: text, id: text, dueMs: count, name: text, 'timezone?': text }],
      past: [
        {
          ...{ number: count, kind: text, id: text, name: text, atMs: count },
          'job?': { status: text, handled: count, submitted: count },
          'timezone?': text,
        },
      ],
      changedAnswers: [text],
      workspaces: [
        {
          id: text,
          name: text,
          plan: z.enum(plans),
          timezone: text,
          billing: z.enum(['ok', 'lapsed']),
          members: [{ id: text, name: text }],
          limits: mapOf({ limit: orNull(count), overridden: flag }),
          usage: object,
          keys: [record],
          tables: [{ id: text, name: text, locked: flag, row_count: count, columns: [record] }],
          lists: [record],
          jobs: [record],
          forms: [form],
        } satisfies ShapeOf<WorkspaceOverview>,
      ],
    },
    'inspect.rows': rows,
    'inspect.row': rows,
    'inspect.task': {
      task: resources.tasks.schema,
      list: record,
      customData: object,
      parent: orNull(record),
      subtasks: [record],
      comments: [record],
      timeEntries: [record],
      attachments: [record],
      repeatsMs: orNull(count),
      'links?': mapOf(any),
    },
    'inspect.tasks': [resources.tasks.schema],
    'inspect.submissions': [FormSubmission],
    openApi: document,
    document,
    run: text,
    events: text,
    stop: success,
  }
}

/** The schemas of all controls by name, such as `clock.advance`. */
export function createControlShapes() {
  const parts = createParts()
  const write = (shapes: Readonly<Record<string, ControlShape>>, io: 'input' | 'output') =>
    new Map(
      Object.entries(shapes).map(([name, shape]): [string, JsonSchema] => {
        const options = { io, unrepresentable: 'any', metadata: customChecks } as const
        return [name, simplifySchema(z.toJSONSchema(toZod(shape), options))]
      }),
    )
  const answered = [...write(listAnswered(parts), 'output')]
  return {
    taken: write(listTaken(parts), 'input'),
    answered: new Map(answered.map(([name, schema]) => [name, openObjects(schema) as JsonSchema])),
  }
}
