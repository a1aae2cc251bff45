// Applies the effects of faults to the requests of a sandbox, whoever runs the client: a test, an exploration, a command.
import { bulkRowsPerRequest } from '../../contract/limits.ts'
import { resolveAnswers } from '../../contract/questions/register.ts'
import type { ApiResponse, InternalRequest } from '../requests/call.ts'
import type { OpenExchange } from '../requests/exchange.ts'
import type { FaultEffect, OutsideAct } from './effect-spec.ts'
import type { EffectFault } from './faults.ts'
import { principalOf } from '../requests/authenticate.ts'
import { runDue } from '../../service/resources/run-due.ts'
import { submitForm } from '../../service/resources/forms.ts'
import { rescheduleJobs } from '../../service/resources/jobs.ts'
import { GeneratedIds } from '../../service/store/counters.ts'
import type { Store } from '../../service/store/store.ts'
import { rewriteResponse } from './rewrites.ts'
import type { Plan } from '../../contract/types.d.ts'

/** The sandbox to whose requests effects are applied. */
interface EffectTarget {
  readonly store: Store
  /** Sends a request that is unknown to the journal, the report and the faults of the client. */
  sendAs(key: string, request: InternalRequest): Promise<ApiResponse>
}

type Pass = () => ApiResponse | Promise<ApiResponse>

/** Sends a request of another user, with a master key of the workspace of a key, else of the first workspace. */
function sendAsOther(target: EffectTarget, key: string | undefined, request: InternalRequest) {
  const { keys, workspaces } = target.store
  const workspace = (key && keys.get(key)?.workspace_id) ?? workspaces.all()[0]?.id
  const master = keys.all().find((one) => one.kind === 'master' && one.workspace_id === workspace)
  return target.sendAs(master?.id ?? key ?? '', request)
}

/** Submits a form with the values of its last submission. */
function submitAgain(store: Store, formId: string): void {
  const last = store.submissions.all().findLast(({ form_id }) => form_id === formId)
  submitForm(store, formId, structuredClone(last?.data ?? {}))
}

export async function performAct(target: EffectTarget, act: OutsideAct, key?: string): Promise<void> {
  if ('method' in act) {
    await sendAsOther(target, key, act)
    return
  }
  const { control, argument, seconds = 0 } = act
  const { store } = target
  if (seconds > 0 && store.clock.mode === 'manual') {
    store.clock.advance(seconds * 1000)
    runDue(store)
  }
  store.change(() => {
    if (control === 'lockTable') store.tables.put({ ...store.tables.getOrThrow(argument), locked: true })
    else if (control === 'submitForm') submitAgain(store, argument)
    else if (control === 'setPlan') {
      const [first] = store.workspaces.all()
      const workspace = store.workspaces.get((key && store.keys.get(key)?.workspace_id) ?? '') ?? first
      if (workspace) store.workspaces.put({ ...workspace, plan: argument as Plan })
    } else {
      const found = store.keys.get(argument) ?? store.keys.all().find(({ name }) => name === argument)
      if (found) store.keys.put({ ...found, suspended: true })
    }
  })
}

async function extendListing(
  store: Store,
  { path, count, values }: Extract<FaultEffect, { readonly extend: unknown }>['extend'],
  send: (path: string, body: unknown) => unknown,
) {
  const form = /^\/forms\/([^/]+)/.exec(path)?.[1]
  if (form !== undefined) for (let left = count; left > 0; left--) submitAgain(store, form)
  else if (!path.startsWith('/datatables'))
    for (let index = 1; index <= count; index++)
      await send(path, { title: `Further task ${String(index)}`, ...values })
  else
    for (let left = count; left > 0; left -= bulkRowsPerRequest)
      await send(`${path}/bulk`, {
        rows: Array.from({ length: Math.min(left, bulkRowsPerRequest) }, () => values ?? {}),
      })
}

/** Puts null in place of the last row of a body. */
function spoilRow(exchange: OpenExchange): void {
  const { sent } = exchange
  if (!(sent instanceof Uint8Array)) return
  try {
    const json = JSON.parse(new TextDecoder().decode(sent)) as { readonly rows: readonly unknown[] }
    const rows = [...json.rows.slice(0, -1), null]
    exchange.sent = new TextEncoder().encode(JSON.stringify({ ...json, rows }))
    exchange.isSpoiled = true
  } catch {
    // The mock itself refuses a body that is not JSON with rows.
  }
}

async function applyEffect(
  target: EffectTarget,
  fault: EffectFault,
  exchange: OpenExchange,
  pass: Pass,
): Promise<ApiResponse> {
  const { effect } = fault.spec
  const { call, store } = exchange
  const key = principalOf(store, exchange.sentKey)?.key.id
  const send = (request: InternalRequest) => sendAsOther(target, key, request)
  if ('spoil' in effect) {
    spoilRow(exchange)
    return pass()
  }
  if ('act' in effect) {
    const { phase = 'after' } = fault.spec
    if (phase !== 'after') await performAct(target, effect.act, key)
    const response = await pass()
    if (phase !== 'before') await performAct(target, effect.act, key)
    return response
  }
  if ('rewrite' in effect) {
    fault.idsBefore ??= { ...store.counters.ids }
    const ids = new GeneratedIds({ counters: { ids: fault.idsBefore } })
    return rewriteResponse(effect.rewrite, call, pass, {
      ask: (path) => send({ method: 'GET', path }),
      isNew: (id) => ids.replaceIds(id, () => '') === '',
    })
  }
  if (fault.hits > 1) return pass()
  if ('answers' in effect) {
    const before = store.answers
    fault.undo = () => (store.answers = before)
    fault.answersBefore = before
    store.answers = resolveAnswers(effect.answers, before)
    rescheduleJobs(store)
  } else await extendListing(store, effect.extend, (path, body) => send({ method: 'POST', path, body }))
  return pass()
}

/** Responds to a request with the effects of the faults that it meets. @param pass responds to it without them */
export const respondWithEffects = (
  target: EffectTarget,
  met: readonly EffectFault[],
  exchange: OpenExchange,
  pass: Pass,
): ApiResponse | Promise<ApiResponse> =>
  met.reduce<Pass>((next, fault) => () => applyEffect(target, fault, exchange, next), pass)()
