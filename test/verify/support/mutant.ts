// What a drift mutant is, and the ways to create one.
import type { OperationId } from '../../../src/contract/index.ts'
import { jsonResponse, type MutableResponse, type Asked, type Rewriting } from './deployment.ts'

export type MutantKind =
  'status' | 'field' | 'type' | 'default' | 'limit' | 'transition' | 'header' | 'behaviour'

export interface Mutant {
  readonly operation: OperationId
  readonly kind: MutantKind
  /** What it does wrong. */
  readonly wrong: string
  /** Whether only a run that writes can see it. */
  readonly write?: boolean
  /** Another operation that reveals it, if its own cannot. */
  readonly shownBy?: OperationId
  /** Created for each run, because some mutants remember earlier requests. */
  readonly make: () => Rewriting
}

export const mutant = (
  operation: OperationId,
  kind: MutantKind,
  wrong: string,
  rewriting: Rewriting | (() => Rewriting),
): Mutant => ({
  operation,
  kind,
  wrong,
  make: typeof rewriting === 'function' ? rewriting : () => rewriting,
})

/** The same mutant, visible only to a run that writes. */
export const ifWritten = (one: Mutant): Mutant => ({ ...one, write: true })

/** The same mutant, revealed by another operation. */
export const shownBy = (operation: OperationId, one: Mutant): Mutant => ({ ...one, shownBy: operation })

/** Responds with one status in place of another. */
export const status = (operation: OperationId, from: number, to: number) =>
  mutant(operation, 'status', `answers ${String(to)} instead of ${String(from)}`, {
    reply: (reply) => {
      if (reply.status === from) reply.status = to
    },
  })

export type Edit = (json: any, asked: Asked) => void

/** Changes the bodies of successful responses. */
export const edited = (operation: OperationId, kind: MutantKind, wrong: string, edit: Edit) =>
  mutant(operation, kind, wrong, {
    reply: ({ status: code, json }, asked) => {
      if (code < 300 && typeof json === 'object' && json !== null) edit(json, asked)
    },
  })

/** Removes a field, given by its path: `rows.*.version`. */
export const without = (operation: OperationId, path: string) =>
  edited(operation, 'field', `leaves out ${path}`, (json) =>
    each(json, path, (owner, name) => Reflect.deleteProperty(owner, name)),
  )

/** Gives a field another type. */
export const retyped = (
  operation: OperationId,
  path: string,
  what: string,
  change: (value: any) => unknown,
) =>
  edited(operation, 'type', `${path} is ${what}`, (json) =>
    each(json, path, (owner, name) => {
      if (owner[name] !== null && owner[name] !== undefined) owner[name] = change(owner[name])
    }),
  )

function each(json: any, path: string, act: (owner: any, name: string) => void): void {
  const [name = '', ...rest] = path.split('.')
  if (typeof json !== 'object' || json === null) return
  if (name === '*') for (const item of Object.values(json)) each(item, rest.join('.'), act)
  else if (rest.length === 0) act(json, name)
  else each(json[name], rest.join('.'), act)
}

/** Changes requests before the service sees them. */
export const misheard = (
  operation: OperationId,
  kind: MutantKind,
  wrong: string,
  ask: (asked: Asked) => void | Promise<void>,
) => mutant(operation, kind, wrong, { ask })

/** Claims success without doing anything. */
export const swallowed = (operation: OperationId, wrong: string, kind: MutantKind = 'behaviour') =>
  misheard(operation, kind, wrong, async (asked) => {
    asked.instead = jsonResponse(200, { success: true })
  })

/** Ignores a query parameter. */
export const deaf = (operation: OperationId, name: string) =>
  misheard(operation, 'behaviour', `does not see ${name}`, ({ query }) => query.delete(name))

export const header = (
  operation: OperationId,
  wrong: string,
  change: (headers: Headers, reply: MutableResponse) => void,
) => mutant(operation, 'header', wrong, { reply: (reply) => change(reply.headers, reply) })

export const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

export const behaves = (operation: OperationId, wrong: string, edit: Edit) =>
  edited(operation, 'behaviour', wrong, edit)

/** Accepts what it should refuse: sends the refused request again with another body. */
export const accepts = (
  operation: OperationId,
  wrong: string,
  holds: (json: any) => boolean,
  json: unknown = {},
) =>
  misheard(operation, 'status', wrong, (asked) => {
    if (asked.json && holds(asked.json)) asked.instead = jsonResponse(200, json)
  })

/** Refuses what it should accept. */
export const refuses = (
  operation: OperationId,
  wrong: string,
  holds: (asked: Asked) => boolean,
  error = 'is not allowed',
) =>
  misheard(operation, 'status', wrong, (asked) => {
    if (holds(asked)) asked.instead = jsonResponse(400, { error })
  })

export const fields = (json: any) => Object.keys(json ?? {})

/** Repeats the first response for each address. */
export const cached = (operation: OperationId) =>
  mutant(operation, 'behaviour', 'answers what it answered first', () => {
    const seen = new Map<string, any>()
    return {
      reply: (reply, { params, query }) => {
        const at = JSON.stringify([params, query.toString()])
        if (reply.status === 200) reply.json = seen.get(at) ?? reply.json
        if (reply.status === 200 && !seen.has(at)) seen.set(at, structuredClone(reply.json))
      },
    }
  })
