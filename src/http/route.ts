// Owns the way from method and path to an operation, and the guess where there is none.
import { operationList, type OperationId } from '../contract/index.ts'
import { nearest } from '../contract/nearest.ts'
import { pathParameters, type OperationSpec } from '../contract/operation.ts'

export type Operation = OperationSpec & { readonly id: OperationId }

export interface Route {
  readonly operation: Operation
  /** Values as sent, still encoded. */
  readonly params: Readonly<Record<string, string>>
}

/** A place in the tree of all paths: the operations there, and the places behind it. */
interface Branch {
  readonly literals: Map<string, Branch>
  /** What any segment leads to. */
  parameter: Branch | undefined
  readonly operations: Map<string, Leaf>
}

interface Leaf {
  readonly operation: Operation
  /** Names of the parameters, from left to right. */
  readonly names: readonly string[]
}

const newBranch = (): Branch => ({ literals: new Map(), parameter: undefined, operations: new Map() })

function branchBehind(branch: Branch, segment: string): Branch {
  if (segment.startsWith('{')) return (branch.parameter ??= newBranch())
  let behind = branch.literals.get(segment)
  if (!behind) branch.literals.set(segment, (behind = newBranch()))
  return behind
}

const root = newBranch()
for (const operation of operationList) {
  const branch = operation.path.split('/').slice(1).reduce(branchBehind, root)
  branch.operations.set(operation.method, { operation, names: pathParameters(operation.path) })
}

/** Follows a path from the segment that begins at `start`; a literal goes before a parameter. */
function follow(
  branch: Branch,
  method: string,
  path: string,
  start: number,
  values: string[],
): Leaf | undefined {
  if (start > path.length) return branch.operations.get(method)
  const slash = path.indexOf('/', start)
  const end = slash === -1 ? path.length : slash
  const segment = path.slice(start, end)
  const literal = branch.literals.get(segment)
  const found = literal && follow(literal, method, path, end + 1, values)
  if (found || !branch.parameter || segment === '') return found
  const known = values.push(segment)
  const leaf = follow(branch.parameter, method, path, end + 1, values)
  if (!leaf) values.length = known - 1
  return leaf
}

const noParams = {}

/** The operation of a method and an encoded path relative to the base address. */
export function findOperation(method: string, path: string): Route | undefined {
  const values: string[] = []
  const leaf = path.startsWith('/') ? follow(root, method, path, 1, values) : undefined
  if (!leaf) return undefined
  if (values.length === 0) return { operation: leaf.operation, params: noParams }
  const params: Record<string, string> = {}
  leaf.names.forEach((name, index) => (params[name] = values[index] ?? ''))
  return { operation: leaf.operation, params }
}

/** Whether a storage key was put into the path of its deletion without being encoded, so that its slashes split it. */
export function isBareStorageKey(method: string, path: string): boolean {
  return method === 'DELETE' && /^\/datatables\/[^/]+\/rows\/[^/]+\/attachments\/dt\/./.test(path)
}

const named = ({ method, path }: Pick<OperationSpec, 'method' | 'path'>) => `${method} ${path}`

/** What an unknown method and path may have been meant to be: `GET /tasks/{taskId} (getTask)`. */
export function nearestOperation(method: string, path: string): string {
  // No operation has the method PUT: who sends it means to change something.
  const meant = method === 'PUT' ? 'PATCH' : method
  const found = nearest(`${meant} ${path.replace(/\/$/, '')}`, operationList, (operation) =>
    named({ method: operation.method, path: likened(operation.path, path) }),
  )
  return found ? `${named(found)} (${found.id})` : ''
}

/** The template with its parameters filled from the path, so that ids do not count as differences. */
function likened(template: `/${string}`, path: string): `/${string}` {
  const given = path.split('/')
  const [, ...parts] = template.split('/')
  return `/${parts.map((part, index) => (part.startsWith('{') ? (given[index + 1] ?? part) : part)).join('/')}`
}
