// What each control takes and answers, as JSON Schema: for the document of the control API. What it takes is described by
// the schemas that check it; a test compares what it answers.
import * as z from 'zod/mini'
import { errorKinds } from '../../contract/errors.ts'
import { operationIds } from '../../contract/scopes.ts'
import { Form, FormSubmission } from '../../contract/forms.ts'
import { Job } from '../../contract/jobs.ts'
import type { Schema } from '../../contract/operation.ts'
import { Task } from '../../contract/tasks.ts'
import { plans } from '../../contract/limits.ts'
import { defaultAnswers, questionIds, questions } from '../../contract/questions/register.ts'
import { seedSchema } from '../../service/fixture/schema.ts'
import { copyFormats } from '../../mock/controls/copy-as.ts'
import { rowPageSchema } from '../../tools/control-api/rows.ts'
import { DbFields } from '../../tools/control-api/db.ts'
import { WorkspaceChange } from '../../tools/control-api/own.ts'
import { faultSpecSchema } from '../../mock/faults/fault-spec.ts'
import {
  journalFilterSchema,
  SecondsFilter,
  statusClasses,
  StatusFilter,
} from '../../mock/journal/journal.ts'
import { CountArgument } from '../../mock/parse-or-throw.ts'
import { reportOptionsSchema } from '../../mock/sandboxes/client-report.ts'
import { resources } from '../../contract/resources.ts'
import { simplifySchema, type JsonSchema } from '../../tools/openapi/json-schema.ts'

const text = { type: 'string' }
const count = { type: 'integer' }
const flag = { type: 'boolean' }
const any = {}
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const mapOf = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties })
const oneOf = (values: readonly unknown[]): JsonSchema => ({ enum: values })
const clockMode = oneOf(['manual', 'system'])
const success = { type: 'object', required: ['success'], properties: { success: { const: true } } }

/** An object; fields whose names end with a question mark can be absent. */
function toObjectSchema(fields: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const entries = Object.entries(fields)
  return {
    type: 'object',
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace('?', ''), schema])),
  }
}

/** Objects stay open, so that answers can gain fields. */
function openObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(openObjects)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(schema).filter(
    ([key, value]) => key !== 'additionalProperties' || value !== false,
  )
  return Object.fromEntries(parts.map(([key, value]) => [key, openObjects(value)]))
}
const ofContract = (schema: Schema): JsonSchema =>
  openObjects(simplifySchema(z.toJSONSchema(schema, { unrepresentable: 'any' }))) as JsonSchema

/** What checks of functions of their own allow. */
const customChecks = z.registry<JsonSchema>()
customChecks.add(CountArgument, { type: 'integer', minimum: 0 })
customChecks.add(SecondsFilter, { type: 'integer', minimum: 0 })
customChecks.add(StatusFilter, { anyOf: [count, oneOf(statusClasses)] })
const ofChecks = (schema: Schema): JsonSchema =>
  simplifySchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: customChecks }))
const propertiesOf = (schema: Schema): Readonly<Record<string, JsonSchema>> =>
  ofChecks(schema).properties as Readonly<Record<string, JsonSchema>>
/** The shapes that others contain. */
function createParts() {
  const clock = toObjectSchema({ now: count, mode: clockMode })
  const operation = oneOf(operationIds)
  const change = {
    resource: text,
    id: text,
    change: oneOf(['created', 'changed', 'deleted']),
  }
  const fieldChange = toObjectSchema({ field: text, 'before?': any, 'after?': any })
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
    refusal: orNull(oneOf(Object.keys(errorKinds))),
    responseHeaders: mapOf(text),
    changes: listOf(toObjectSchema(change)),
    'moreChanges?': count,
    fault: orNull(text),
    'delayMs?': { type: 'number' },
    'console?': { const: true },
    'breaches?': listOf(text),
    'partial?': toObjectSchema({ failed: count, of: count }),
  }
  const sized = toObjectSchema({
    sizeBytes: count,
    contentType: text,
    'truncated?': { const: true },
    'parts?': listOf(any),
  })
  const body = { anyOf: [{ type: 'null' }, toObjectSchema({ json: any }), toObjectSchema({ text }), sized] }
  const entry = {
    ...summary,
    changes: listOf(toObjectSchema({ ...change, 'fields?': listOf(fieldChange) })),
    requestBody: body,
    responseBody: body,
  }
  const fault = {
    ...toObjectSchema({ id: text, hits: count }),
    properties: { id: text, hits: count, ...propertiesOf(faultSpecSchema) },
  }
  const finding = {
    rule: text,
    severity: oneOf(['error', 'warning', 'info']),
    message: text,
    operation: orNull(operation),
    'operations?': listOf(operation),
    'question?': text,
    count,
    requests: listOf(count),
    offending: listOf(count),
  }
  const run = {
    label: orNull(text),
    requests: count,
    errors: count,
    faults: count,
    lastAtMs: orNull(count),
    findings: count,
  }
  const workspace = ofContract(resources.workspaces.schema)
  return {
    clock,
    operation,
    summary,
    entry,
    fault,
    finding: toObjectSchema(finding),
    run,
    workspace,
  }
}

const snapshot = toObjectSchema({ version: { const: 1 }, base: text })
const fixture = toObjectSchema({
  'name?': text,
  'clock?': count,
  workspaces: listOf({ type: 'object' }),
  'files?': mapOf(text),
  'runtime?': { type: 'object' },
})

/** The fields that each control takes in its query or body. */
export function createFieldShapes(): Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> {
  const filter = propertiesOf(journalFilterSchema)
  const record = propertiesOf(DbFields)
  return {
    'clock.change': { now: count, mode: clockMode },
    'clock.advance': { ms: { type: 'number', minimum: 0 }, by: text },
    requests: filter,
    requestSummaries: filter,
    copyAs: { as: oneOf(copyFormats), ids: text },
    report: propertiesOf(reportOptionsSchema),
    changeWorkspace: propertiesOf(WorkspaceChange),
    suspendKey: { suspended: flag },
    lockTable: { locked: flag },
    publishForm: { is_published: oneOf([true, false, 0, 1]) },
    submitForm: { data: { type: 'object' } },
    'db.create': record,
    'db.change': record,
    'db.remove': record,
    'console.search': { text, of: text },
    'console.journals': { of: text, before: count, limit: count },
    'console.whole': { of: text },
    'console.contents': { of: text },
    'inspect.rows': propertiesOf(rowPageSchema),
  }
}

/** The whole bodies of controls that take one. */
export function createBodyShapes(): Readonly<Record<string, JsonSchema>> {
  const answers = questionIds.map((id) => [id, ofChecks(questions[id].schema())])
  return {
    fault: ofChecks(faultSpecSchema),
    setAnswers: { type: 'object', properties: Object.fromEntries(answers) as JsonSchema },
    loadState: fixture,
    seed: toObjectSchema(
      Object.fromEntries(
        Object.keys(seedSchema().shape).map((name) => [
          `${name}?`,
          name === 'files' ? mapOf(text) : listOf({ type: 'object' }),
        ]),
      ),
    ),
    restore: snapshot,
    'snapshots.add': snapshot,
  }
}

/** The shapes by the path to the method of a control, without what wraps it. */
export function createControlShapes(): Readonly<Record<string, JsonSchema>> {
  const { clock, operation, summary, entry, fault, finding, run, workspace } = createParts()
  const job = ofContract(Job)
  const form = ofContract(Form(defaultAnswers))
  const submission = ofContract(FormSubmission)
  const task = ofContract(resources.tasks.schema)
  /** One of any kind, with its fields. */
  const record = { ...toObjectSchema({ id: text }), additionalProperties: true }
  const named = toObjectSchema({ name: text })
  const changes = toObjectSchema({ resource: text, created: count, changed: count, deleted: count })
  const answers = { type: 'object' }
  const rows = toObjectSchema({ rows: listOf(record), total: count, 'links?': mapOf(any) })
  const outcome = toObjectSchema({ status: count, case: text, natural: count, byFault: count })
  const sandbox = { sandbox: orNull(text) }
  return {
    health: toObjectSchema({ status: { const: 'ok' }, fixture: text, clock }),
    reset: toObjectSchema({ success: { const: true }, fixture: text, clock }),
    sandboxes: listOf(text),
    sandboxSummaries: listOf(toObjectSchema({ name: text, ...run })),
    deleteSandbox: success,
    'clock.read': clock,
    'clock.change': clock,
    'clock.advance': clock,
    faults: listOf(fault),
    usedFaults: listOf(fault),
    fault,
    resetFaults: success,
    removeFault: success,
    requests: listOf(toObjectSchema(entry)),
    requestSummaries: listOf(toObjectSchema(summary)),
    request: toObjectSchema(entry),
    reason: orNull(
      toObjectSchema({
        rule: text,
        facts: listOf(text),
        remedies: listOf(
          toObjectSchema({
            label: text,
            code: text,
            'control?': text,
            args: { type: 'array' },
            'key?': text,
          }),
        ),
      }),
    ),
    clearRequests: success,
    copyAs: text,
    har: toObjectSchema({
      log: toObjectSchema({
        version: { const: '1.2' },
        creator: toObjectSchema({ name: text, version: text }),
        entries: listOf({ type: 'object' }),
      }),
    }),
    coverage: toObjectSchema({
      operations: listOf(toObjectSchema({ operation, requests: count, outcomes: listOf(outcome) })),
    }),
    report: listOf(finding),
    explain: text,
    questions: listOf(
      toObjectSchema({
        id: text,
        part: text,
        source: text,
        notShown: text,
        schema: { type: 'object' },
        default: any,
        meanings: listOf(toObjectSchema({ answer: any, meaning: text })),
        operations: listOf(operation),
        fixed: flag,
      }),
    ),
    answers,
    setAnswers: answers,
    state: fixture,
    loadState: fixture,
    seed: mapOf(listOf(text)),
    snapshot,
    restore: success,
    'snapshots.names': listOf(text),
    'snapshots.list': listOf(
      toObjectSchema({ name: text, clock: count, sizeBytes: count, changes: orNull(listOf(changes)) }),
    ),
    'snapshots.read': snapshot,
    'snapshots.add': named,
    'snapshots.save': named,
    'snapshots.delete': success,
    'snapshots.restore': toObjectSchema({ name: text, clock }),
    changeWorkspace: workspace,
    suspendKey: toObjectSchema({ key: text, name: text, suspended: flag }),
    lockTable: toObjectSchema({ id: text, name: text, locked: flag }),
    failJob: job,
    restoreTask: ofContract(Task(defaultAnswers)),
    publishForm: form,
    submitForm: submission,
    'db.create': record,
    'db.change': record,
    'db.remove': success,
    'console.search': listOf(toObjectSchema({ ...sandbox, upTo: count, ids: listOf(count) })),
    'console.journals': listOf(
      toObjectSchema({
        ...summary,
        ...sandbox,
        'arrivedMs?': { type: 'number' },
        'tookMs?': { type: 'number' },
      }),
    ),
    'console.whole': toObjectSchema({
      'arrivedMs?': { type: 'number' },
      'tookMs?': { type: 'number' },
      'headers?': mapOf(text),
      contentType: orNull(text),
      requestBody: orNull({ type: 'object' }),
      responseBody: orNull({ type: 'object' }),
    }),
    'console.contents': toObjectSchema({
      runs: listOf(toObjectSchema({ name: orNull(text), ...run })),
      contents: listOf(toObjectSchema({ ...sandbox, faults: listOf(fault), findings: listOf(finding) })),
    }),
    'inspect.overview': toObjectSchema({
      clock: toObjectSchema({ now: count, nowMs: count, mode: clockMode }),
      due: listOf(toObjectSchema({ kind: text, id: text, dueMs: count, name: text })),
      past: listOf(
        toObjectSchema({
          ...{ number: count, kind: text, id: text, name: text, atMs: count },
          'job?': toObjectSchema({ status: text, handled: count, submitted: count }),
        }),
      ),
      changedAnswers: listOf(text),
      workspaces: listOf(
        toObjectSchema({
          id: text,
          name: text,
          plan: oneOf(plans),
          timezone: text,
          billing: oneOf(['ok', 'lapsed']),
          members: listOf(toObjectSchema({ id: text, name: text })),
          limits: mapOf(toObjectSchema({ limit: orNull(count), overridden: flag })),
          usage: { type: 'object' },
          keys: listOf(record),
          tables: listOf(
            toObjectSchema({ id: text, name: text, locked: flag, row_count: count, columns: listOf(record) }),
          ),
          lists: listOf(record),
          jobs: listOf(record),
          forms: listOf(form),
        }),
      ),
    }),
    'inspect.rows': rows,
    'inspect.row': rows,
    'inspect.task': toObjectSchema({
      task,
      list: record,
      customData: { type: 'object' },
      parent: orNull(record),
      subtasks: listOf(record),
      comments: listOf(record),
      timeEntries: listOf(record),
      attachments: listOf(record),
      repeatsMs: orNull(count),
      'links?': mapOf(any),
    }),
    'inspect.tasks': listOf(task),
    'inspect.submissions': listOf(submission),
    openApi: toObjectSchema({ openapi: text, info: { type: 'object' }, paths: { type: 'object' } }),
    document: toObjectSchema({ openapi: text, info: { type: 'object' }, paths: { type: 'object' } }),
    events: text,
  }
}
