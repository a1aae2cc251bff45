// Applies disturbances other than faults to the requests of a sandbox, whoever runs the client: a test, an exploration, a
// command.
import { bulkRowsPerRequest } from '../../contract/limits.ts'
import { createInternalCall, type ApiResponse, type Call, type InternalRequest } from '../requests/call.ts'
import type { OutsideAct } from './disturbances.ts'
import type { ActiveDisturbance } from './faults.ts'
import { principalOf } from '../requests/authenticate.ts'
import { Sandbox, type SandboxOptions } from '../sandboxes/sandbox.ts'
import { GeneratedIds } from '../../service/store/generated-ids.ts'
import type { Store } from '../../service/store/store.ts'
import { rewriteResponse } from './rewrites.ts'

export interface EffectHost {
  readonly baseUrl: string
  readonly sandboxOptions: SandboxOptions
  readonly controlsOf: (sandbox: Sandbox) => {
    setAnswers(answers: object): unknown
    setPlan(plan: never, workspaceId?: string): unknown
    lockTable(tableId: string): unknown
    suspendKey(key: string): unknown
  }
}

type Pass = (call: Call) => Promise<ApiResponse>

/** A master key of the workspace that a key belongs to, else of the first workspace. */
function findMasterKey({ keys, workspaces }: Store, key: string | undefined): string {
  const workspace = (key && keys.get(key)?.workspace_id) ?? workspaces.all()[0]?.id
  const master = keys.all().find((one) => one.kind === 'master' && one.workspace_id === workspace)
  return master?.id ?? key ?? ''
}

/** A request of another user of the same workspace: unknown to the journal, the report and the faults of the client. */
function sendOutside(
  { sandboxOptions, baseUrl }: EffectHost,
  store: Store,
  request: InternalRequest,
  key?: string,
): Promise<ApiResponse> {
  const other = new Sandbox(() => store, { ...sandboxOptions, planned: undefined, coverage: undefined })
  return other.handle(createInternalCall(baseUrl, findMasterKey(store, key), request))
}

export async function performAct(
  host: EffectHost,
  sandbox: Sandbox,
  act: OutsideAct,
  key?: string,
): Promise<void> {
  const { store } = sandbox
  if ('method' in act) {
    await sendOutside(host, store, act, key)
    return
  }
  const { setPlan, lockTable, suspendKey } = host.controlsOf(sandbox)
  const { control, argument } = act
  if (control === 'setPlan') setPlan(argument as never, key && store.keys.get(key)?.workspace_id)
  else if (control === 'lockTable') lockTable(argument)
  else suspendKey(argument)
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
    return { ...given, isDisturbed: true, body: new TextEncoder().encode(JSON.stringify({ ...json, rows })) }
  } catch {
    return given
  }
}

async function applyEffect(
  host: EffectHost,
  active: ActiveDisturbance,
  call: Call,
  sandbox: Sandbox,
  pass: Pass,
): Promise<ApiResponse> {
  const { effect } = active.disturbance
  const { store } = sandbox
  const key = principalOf(store, call.header('authorization'))?.key.id
  const isFirst = active.hits === 1
  if (effect.do === 'spoil row') return pass(await spoilRow(call))
  if (effect.do === 'act') {
    const response = await pass(call)
    await performAct(host, sandbox, effect.act, key)
    return response
  }
  if (effect.do === 'rewrite') {
    active.idsBefore ??= { ...store.counters.ids }
    const ids = new GeneratedIds({ counters: { ids: active.idsBefore } })
    const ask = (path: string) => sendOutside(host, store, { method: 'GET', path }, key)
    return rewriteResponse(effect.how, call, pass, {
      ask,
      isNew: (id) => ids.replaceIds(id, () => '') === '',
    })
  }
  if (effect.do === 'answer' && isFirst) {
    const before = store.answers
    active.undo = () => (store.answers = before)
    host.controlsOf(sandbox).setAnswers(effect.answers)
  }
  if (effect.do === 'extend' && isFirst)
    await extendListing(effect.path, effect.count, (path, body) =>
      sendOutside(host, store, { method: 'POST', path, body }, key),
    )
  return pass(call)
}

export const disturbCall =
  (host: EffectHost): NonNullable<SandboxOptions['disturb']> =>
  (met, call, sandbox, pass) =>
    met.reduce<Pass>((next, active) => (given) => applyEffect(host, active, given, sandbox, next), pass)(call)
