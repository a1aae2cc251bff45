// Owns the writing of a fixture, or a part of one, into a world: what is common to all resources.
import { quote } from '../contract/quote.ts'
import { fromBase64 } from './base64.ts'
import type { ResourceCollection } from './collection.ts'
import { Problems } from './fixture-error.ts'
import { memberOf, type WorkspaceRecord } from './workspaces.ts'
import type { Records, ResourceName, World } from './world.ts'

/** Kinds of what can be made, as a fixture spells them. */
export const madeKinds = [
  'workspaces',
  'members',
  'keys',
  'tables',
  'rows',
  'spaces',
  'lists',
  'tasks',
  'comments',
  'time_entries',
  'attachments',
  'forms',
  'submissions',
  'jobs',
] as const
export type MadeKind = (typeof madeKinds)[number]

/** Each resource as a fixture spells it. */
const madeAs: Readonly<Record<ResourceName, MadeKind>> = {
  workspaces: 'workspaces',
  keys: 'keys',
  tables: 'tables',
  spaces: 'spaces',
  lists: 'lists',
  tasks: 'tasks',
  comments: 'comments',
  timeEntries: 'time_entries',
  attachments: 'attachments',
  forms: 'forms',
  submissions: 'submissions',
  jobs: 'jobs',
}

/** Singular of each resource, as messages and ids have it. */
const singular: Readonly<Record<ResourceName, string>> = {
  workspaces: 'workspace',
  keys: 'key',
  tables: 'table',
  spaces: 'space',
  lists: 'list',
  tasks: 'task',
  comments: 'comment',
  timeEntries: 'time_entry',
  attachments: 'attachment',
  forms: 'form',
  submissions: 'submission',
  jobs: 'job',
}

/** More values than these are not spelt out in a message. */
const shownValues = 20

export interface WriterOptions {
  /** What is written, for messages: `fixture`. */
  readonly what: string
  /** Whether what exists may be named by its id, to add to it. */
  readonly addsToExisting: boolean
  /** Whether rows and tasks may be named that are no more, as happens in the life of a world. */
  readonly allowsLostLinks: boolean
  /** Whether time zones are known to exist: asking for the first takes as long as reading a small fixture. */
  readonly knowsTimezones?: boolean
  /** Contents in base64 by attachment id or storage key. */
  readonly files: Readonly<Record<string, string>>
}

/** Writes into a world that its caller discards or rolls back if there turn out to be problems. */
export class FixtureWriter {
  readonly world: World
  readonly problems: Problems
  readonly allowsLostLinks: boolean
  readonly knowsTimezones: boolean
  readonly made: Readonly<Record<MadeKind, string[]>>
  readonly #addsToExisting: boolean
  readonly #files: ReadonlyMap<string, string>
  readonly #usedFiles = new Set<string>()
  readonly #checks: (() => void)[] = []

  constructor(world: World, options: WriterOptions) {
    const { what, addsToExisting, allowsLostLinks, knowsTimezones = false, files } = options
    this.world = world
    this.problems = new Problems(what)
    this.allowsLostLinks = allowsLostLinks
    this.knowsTimezones = knowsTimezones
    this.made = Object.fromEntries(madeKinds.map((kind) => [kind, []])) as unknown as Record<
      MadeKind,
      string[]
    >
    this.#addsToExisting = addsToExisting
    this.#files = new Map(Object.entries(files))
  }

  /** Unix seconds. */
  get now(): number {
    return this.world.clock.now()
  }

  #collection<Name extends ResourceName>(name: Name): ResourceCollection<Records[Name]> {
    return this.world[name] as unknown as ResourceCollection<Records[Name]>
  }

  /** The id as given, or the next of its kind. */
  id(name: ResourceName, given: string | undefined): string {
    return given ?? this.world.runtime.nextId(singular[name], (id) => this.world[name].has(id))
  }

  /** Writes a new record. */
  put<Name extends ResourceName>(name: Name, record: Records[Name], path: string): Records[Name] {
    const collection = this.#collection(name)
    if (collection.has(record.id))
      this.problems.add(
        `${path}.${name === 'keys' ? 'key' : 'id'}`,
        `must be one of a kind; ${quote(record.id)} is taken`,
      )
    this.made[madeAs[name]].push(record.id)
    return collection.put(record)
  }

  /**
   * The record to add to, where the input names one that exists. Then it may hold nothing but its id and `parts`.
   */
  existing<Name extends ResourceName>(
    name: Name,
    input: { readonly id?: string | undefined },
    path: string,
    parts: readonly string[],
  ): Records[Name] | undefined {
    if (!this.#addsToExisting || input.id === undefined) return undefined
    const record = this.#collection(name).get(input.id)
    if (!record) return undefined
    for (const field of Object.keys(input))
      if (field !== 'id' && !parts.includes(field))
        this.problems.add(
          `${path}.${field}`,
          `cannot be set: ${singular[name]} ${quote(input.id)} exists, and only ${parts.join(', ')} can be added`,
        )
    return record
  }

  /** Whether a field that something new needs is there. */
  has<T>(value: T | undefined, path: string, field: string, id: string | undefined): value is T {
    if (value !== undefined) return true
    const why = id === undefined ? '' : `, since ${quote(id)} names nothing that exists`
    this.problems.add(`${path}.${field}`, `is required${why}; received nothing`)
    return false
  }

  /** What something new is called: as given, or where it is seeded, after what it is. */
  named(
    name: ResourceName,
    given: string | undefined,
    path: string,
    field: string,
    id: string | undefined,
  ): string | undefined {
    if (given === undefined && id === undefined && this.#addsToExisting) return `New ${singular[name]}`
    return this.has(given, path, field, id) ? given : undefined
  }

  /** Adds a problem unless the value is one of those allowed. */
  mustBeOneOf(value: string, allowed: readonly string[], path: string): void {
    if (allowed.includes(value)) return
    const shown = allowed.slice(0, shownValues).map((id) => quote(id))
    if (allowed.length > shown.length) shown.push(`${String(allowed.length - shown.length)} more`)
    const listed = shown.length > 0 ? `one of ${shown.join(', ')}` : 'left out, since there is none to name'
    this.problems.add(path, `must be ${listed}; received ${quote(value)}`)
  }

  /** The member given, or the first one. */
  member(workspace: WorkspaceRecord, given: string | undefined, path: string): string {
    const id = given ?? workspace.members[0]?.id
    if (id !== undefined && memberOf(workspace, id)) return id
    if (id === undefined) this.problems.add(path, 'cannot be left out: the workspace has no members')
    else
      this.mustBeOneOf(
        id,
        workspace.members.map((member) => member.id),
        path,
      )
    return id ?? ''
  }

  /** Checks once all is written, so that what is written later can be named. */
  later(check: () => void): void {
    this.#checks.push(check)
  }

  /** Stores the contents of a file and answers their size in bytes. */
  file(key: string, sizeBytes: number | undefined, path: string): number {
    const text = this.#files.get(key)
    this.#usedFiles.add(key)
    let bytes: Uint8Array = new Uint8Array()
    try {
      if (text !== undefined) bytes = fromBase64(text)
    } catch {
      this.problems.add(`files[${quote(key)}]`, `must be base64; received ${quote(text)}`)
      return 0
    }
    if (sizeBytes !== undefined && sizeBytes !== bytes.length)
      this.problems.add(
        path,
        `must be the size of files[${quote(key)}], ${text === undefined ? 'which is missing' : String(bytes.length)}; received ${String(sizeBytes)}`,
      )
    this.world.files.set(key, bytes)
    return bytes.length
  }

  /**
   * Makes the checks that were put off.
   * @throws {FixtureError} for all problems together
   */
  finish(): void {
    for (const check of this.#checks) check()
    for (const key of this.#files.keys())
      if (!this.#usedFiles.has(key))
        this.problems.add(
          `files[${quote(key)}]`,
          'belongs to no attachment: keys are attachment ids or storage keys',
        )
    this.problems.throwAny()
  }
}

/** A copy of JSON that nobody else holds. */
export function jsonCopy<T>(value: T): T {
  return typeof value === 'object' && value !== null ? (JSON.parse(JSON.stringify(value)) as T) : value
}
