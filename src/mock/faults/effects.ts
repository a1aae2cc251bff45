// Applies the effects of faults to the requests of a sandbox, whoever runs the client: a test, an exploration, a command.
import { bulkRowsPerRequest } from '../../contract/limits.ts'
import { resolveAnswers } from '../../contract/questions/register.ts'
import type { Plan } from '../../contract/identity.ts'
import type { ApiResponse, Call, InternalRequest } from '../requests/call.ts'
import type { OutsideAct } from './effect-spec.ts'
import type { EffectFault } from './faults.ts'
import { principalOf } from '../requests/authenticate.ts'
import { rescheduleJobs } from '../../service/resources/jobs.ts'
import { GeneratedIds } from '../../service/store/generated-ids.ts'
import type { Store } from '../../service/store/store.ts'
import { rewriteResponse } from './rewrites.ts'

/** The sandbox to whose requests effects are applied. */
export interface EffectTarget {
  readonly store: Store
  /** Sends a request that is unknown to the journal, the report and the faults of the client. */
  sendAs(key: string, request: InternalRequest): Promise<ApiResponse>
}

type Pass = (call: Call) => Promise<ApiResponse>

/** Sends a request of another user, with a master key of the workspace of a key, else of the first workspace. */
function sendAsOther(target: EffectTarget, key: string | undefined, request: InternalRequest) {
  const { keys, workspaces } = target.store
  const workspace = (key && keys.get(key)?.workspace_id) ?? workspaces.all()[0]?.id
  const master = keys.all().find((one) => one.kind === 'master' && one.workspace_id === workspace)
  return target.sendAs(master?.id ?? key ?? '', request)
}

export async function performAct(target: EffectTarget, act: OutsideAct, key?: string): Promise<void> {
  if ('method' in act) {
    await sendAsOther(target, key, act)
    return
  }
  const { control, argument } = act
  const { store } = target
  store.change(() => {
    if (control === 'lockTable') store.tables.put({ ...store.tables.getOrThrow(argument), locked: true })
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

async function extendListing(path: string, count: number, send: (path: string, body: unknown) => unknown) {
  if (!path.startsWith('/datatables'))
    for (let index = 1; index <= count; index++) await send(path, { title: `Further task ${String(index)}` })
  else
    for (let left = count; left > 0; left -= bulkRowsPerRequest)
      await send(`${path}/bulk`, {
        rows: Array.from({ length: Math.min(left, bulkRowsPerRequest) }, () => ({})),
      })
}

/** The call with null in place of its last row. */
async function spoilRow(call: Call): Promise<Call> {
  const body = await call.body
  const given = { ...call, header: (name: string) => call.header(name), body }
  if (!(body instanceof Uint8Array)) return given
  try {
    const json = JSON.parse(new TextDecoder().decode(body)) as { readonly rows: readonly unknown[] }
    const rows = [...json.rows.slice(0, -1), null]
    return { ...given, isSpoiled: true, body: new TextEncoder().encode(JSON.stringify({ ...json, rows })) }
  } catch {
    return given
  }
}

async function applyEffect(
  target: EffectTarget,
  fault: EffectFault,
  call: Call,
  pass: Pass,
): Promise<ApiResponse> {
  const { effect } = fault.spec
  const { store } = target
  const key = principalOf(store, call.header('authorization'))?.key.id
  const send = (request: InternalRequest) => sendAsOther(target, key, request)
  if ('spoil' in effect) return pass(await spoilRow(call))
  if ('act' in effect) {
    const response = await pass(call)
    await performAct(target, effect.act, key)
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
  if (fault.hits > 1) return pass(call)
  if ('answers' in effect) {
    const before = store.answers
    fault.undo = () => (store.answers = before)
    store.answers = resolveAnswers(effect.answers, before)
    rescheduleJobs(store)
  } else
    await extendListing(effect.extend.path, effect.extend.count, (path, body) =>
      send({ method: 'POST', path, body }),
    )
  return pass(call)
}

/** Handles a call with the effects of the faults that it meets. @param pass handles it without them */
export const handleWithEffects = (
  target: EffectTarget,
  met: readonly EffectFault[],
  call: Call,
  pass: Pass,
): Promise<ApiResponse> =>
  met.reduce<Pass>((next, fault) => (given) => applyEffect(target, fault, given, next), pass)(call)
