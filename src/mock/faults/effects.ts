// Applies the effects of faults to a sandbox's requests, whether a test, an exploration or a command runs the client.
// Effects write directly to the state; they are not client requests, so no limit applies to them.
import { messageOf } from '../../contract/text/format.ts'
import { quote } from '../../contract/text/quote.ts'
import { describeNearestRecord } from '../../contract/text/nearest.ts'
import type { ApiResponse, InternalRequest } from '../requests/call.ts'
import type { OpenExchange } from '../requests/exchange.ts'
import type { Extension, OutsideAct } from './effect-spec.ts'
import { isOfWholeState, type EffectFault, type Faults } from './faults.ts'
import { extendListing, hasItem, submitAgain } from './extend.ts'
import { principalOf } from '../requests/authenticate.ts'
import { runDue } from '../../service/resources/run-due.ts'
import { ControlError } from '../control-error.ts'
import { GeneratedIds } from '../../service/store/counters.ts'
import type { Store } from '../../service/store/store.ts'
import { gatewayPage, rewriteBody } from './rewrites.ts'
import type { KeyRecord, Plan } from '../../contract/types.d.ts'

interface Sender {
  readonly store: Store
  /** Sends a request that the client's journal, report and faults do not see. */
  sendAs(key: string, request: InternalRequest): Promise<ApiResponse>
}

/** The sandbox whose requests are affected. */
interface EffectTarget extends Sender {
  readonly faults: Faults
  /** Makes a change outside the model, such as setting a fault. */
  change(run: () => void): void
}

type Pass = () => ApiResponse | Promise<ApiResponse>

/** Sends a request as another user, with a master key of the given key's workspace, or else of the first workspace. */
function sendAsOther(target: Sender, key: string | undefined, request: InternalRequest) {
  const { keys, workspaces } = target.store
  const workspace = (key && keys.get(key)?.workspace_id) ?? workspaces.all()[0]?.id
  const masters = keys.all().filter((one) => one.kind === 'master' && one.workspace_id === workspace)
  const master: KeyRecord | undefined = masters.find(({ suspended }) => !suspended) ?? masters[0]
  return target.sendAs(master?.id ?? key ?? '', request)
}

function getExisting<T>(found: T | undefined, what: string, id: string, known: readonly { id: string }[]): T {
  if (found) return found
  throw new ControlError(`${what} ${quote(id)} does not exist${describeNearestRecord(id, known)}`)
}

const errorOf = ({ body }: ApiResponse) => String((JSON.parse(String(body)) as { error?: unknown }).error)

/**
 * Performs what another user or the product does.
 * @throws {Error} saying why it is impossible; the state is then unchanged
 */
export async function performAct(target: Sender, act: OutsideAct, key?: string): Promise<void> {
  if ('method' in act) {
    const response = await sendAsOther(target, key, act)
    if (response.status < 400) return
    throw new ControlError(`${act.method} ${act.path} got ${String(response.status)}: ${errorOf(response)}`)
  }
  const { control, argument, seconds = 0 } = act
  const { store } = target
  const { tables, workspaces, keys } = store
  if (seconds > 0 && store.clock.mode === 'manual') {
    store.clock.advance(seconds * 1000)
    runDue(store)
  }
  store.change(() => {
    if (control === 'lockTable') {
      const table = getExisting(tables.get(argument), 'table', argument, tables.all())
      tables.put({ ...table, locked: true })
    } else if (control === 'submitForm') submitAgain(store, argument)
    else if (control === 'setPlan') {
      const own = workspaces.get((key && keys.get(key)?.workspace_id) ?? '') ?? workspaces.all()[0]
      workspaces.put({ ...getExisting(own, 'workspace', 'first', []), plan: argument as Plan })
    } else {
      const found = keys.get(argument) ?? keys.all().find(({ name }) => name === argument)
      // The message omits the key, which could be a secret.
      if (!found) throw new ControlError('the key that effect.act suspends does not exist')
      keys.put({ ...found, suspended: true })
    }
  })
}

/** Replaces the last row of a body with null. */
function spoilRow(exchange: OpenExchange): void {
  const { sent } = exchange
  if (!(sent instanceof Uint8Array)) return
  try {
    const json = JSON.parse(new TextDecoder().decode(sent)) as { readonly rows: readonly unknown[] }
    const rows = [...json.rows.slice(0, -1), null]
    exchange.sent = new TextEncoder().encode(JSON.stringify({ ...json, rows }))
    exchange.isSpoiled = true
  } catch {
    // A body that is not JSON with rows is refused anyway.
  }
}

/** Carries out an effect, or records why it failed. */
async function attempt(target: EffectTarget, fault: EffectFault, run: () => unknown): Promise<void> {
  let problem: string | null = null
  try {
    await run()
  } catch (error) {
    problem = messageOf(error)
  }
  if (problem !== fault.problem) target.change(() => target.faults.note(fault, problem))
}

/** Adds the items of an effect that extends a listing, unless the listing already has them. */
function extendOnce(store: Store, fault: EffectFault, extension: Extension): void {
  if (fault.made) return
  const [before] = fault.madeBefore ?? []
  const isThere = before !== undefined && hasItem(store, extension.path, before)
  fault.made = isThere ? fault.madeBefore : store.change(() => extendListing(store, extension))
}

/** Begins the lasting effects. */
async function beginLasting(target: EffectTarget, met: readonly EffectFault[]): Promise<void> {
  const { store, faults } = target
  const answering = met.filter(({ spec, answering: known }) => 'answers' in spec.effect && !known)
  if (answering.length > 0) faults.answers.begin(answering)
  for (const fault of met) {
    const { effect } = fault.spec
    if ('extend' in effect) await attempt(target, fault, () => extendOnce(store, fault, effect.extend))
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
  if ('spoil' in effect) {
    spoilRow(exchange)
    return pass()
  }
  const key = principalOf(store, exchange.sentKey)?.key.id
  if ('act' in effect) {
    const { phase = 'after' } = fault.spec
    if (phase !== 'after') await attempt(target, fault, () => performAct(target, effect.act, key))
    const response = await pass()
    if (phase !== 'before') await attempt(target, fault, () => performAct(target, effect.act, key))
    return response
  }
  if (!('rewrite' in effect)) return pass()
  const { rewrite } = effect
  if (rewrite === 'gateway before') return gatewayPage
  fault.idsBefore ??= { ...store.counters.ids }
  const ids = new GeneratedIds({ counters: { ids: fault.idsBefore } })
  let response = await pass()
  await attempt(target, fault, async () => {
    response = await rewriteBody(rewrite, call, response, {
      ask: (path) => sendAsOther(target, key, { method: 'GET', path }),
      isNew: (id) => ids.replaceIds(id, () => '') === '',
    })
  })
  return response
}

/**
 * Responds to a request and applies the effects of the faults it triggers.
 * @param pass responds to the request without applying effects
 */
export async function respondWithEffects(
  target: EffectTarget,
  met: readonly EffectFault[],
  exchange: OpenExchange,
  pass: Pass,
): Promise<ApiResponse> {
  await beginLasting(target, met)
  const others = met.filter(({ spec }) => !isOfWholeState(spec))
  return others.reduce<Pass>((next, fault) => () => applyEffect(target, fault, exchange, next), pass)()
}
