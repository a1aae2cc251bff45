// Owns how a workspace's resources are kept: @mswjs/data collections with an id index beside them.
import type { Schema } from '../contract/operation.ts'
import type { Entity } from '../contract/resources.ts'
import { OverlayMap, type UndoLog } from './overlay.ts'

/** The part of @mswjs/data's collection that is used; its inferred types would leak into declarations. */
interface RecordStore<T> {
  create(values: T): Promise<T>
  findMany(query: (q: { where(predicate: (record: T) => boolean): never }) => never): T[]
  deleteMany(query: (q: { where(predicate: (record: T) => boolean): never }) => never): unknown
}

/** The library is read when something is first queried: whoever only goes by ids and writes does not pay for it. */
async function newStore<T extends Entity>(schema: Schema<T>): Promise<RecordStore<T>> {
  const { Collection } = await import('@mswjs/data')
  return new Collection({ schema }) as unknown as RecordStore<T>
}

/** Records of a fixture: loaded once, never changed, shared by every store made from it. */
export class BaseRecords<T extends Entity> {
  readonly schema: Schema<T>
  readonly byId: ReadonlyMap<string, T>
  readonly positions: ReadonlyMap<string, number>
  #store: Promise<RecordStore<T>> | undefined

  constructor(schema: Schema<T>, records: readonly T[]) {
    this.schema = schema
    this.byId = new Map(records.map((record) => [record.id, record]))
    this.positions = new Map(records.map((record, position) => [record.id, position]))
  }

  async findMany(predicate: (record: T) => boolean): Promise<T[]> {
    this.#store ??= this.#load()
    return (await this.#store).findMany((query) => query.where(predicate))
  }

  async #load(): Promise<RecordStore<T>> {
    const store = await newStore(this.schema)
    await Promise.all([...this.byId.values()].map((record) => store.create(record)))
    return store
  }
}

/**
 * The records of one resource in one store. Reads by id and writes are synchronous, over the index; what was
 * written reaches the collection (whose `create` is asynchronous) before the next query of it.
 * Records are immutable: to change one, put another of the same id.
 */
export class ResourceCollection<T extends Entity> {
  readonly resource: string
  readonly base: BaseRecords<T>
  readonly #undo: UndoLog
  readonly #index: OverlayMap<T>
  #store: Promise<RecordStore<T>> | undefined
  #unsettled = new Set<string>()

  constructor(resource: string, base: BaseRecords<T>, undo: UndoLog, changes?: Map<string, T | null>) {
    this.resource = resource
    this.base = base
    this.#undo = undo
    this.#index = new OverlayMap(base.byId, undo, changes)
    if (changes) this.#unsettled = new Set(changes.keys())
  }

  get(id: string): T | undefined {
    return this.#index.get(id)
  }

  has(id: string): boolean {
    return this.#index.has(id)
  }

  /** What differs from the fixture; `null` is deleted. */
  get changes(): ReadonlyMap<string, T | null> {
    return this.#index.changes
  }

  /** Adds the record, or replaces the one of its id. */
  put(record: T): T {
    const change = this.#index.has(record.id) ? 'changed' : 'created'
    this.#index.set(record.id, record, { resource: this.resource, id: record.id, change })
    this.#touch(record.id)
    return record
  }

  remove(id: string): void {
    this.#index.delete(id, { resource: this.resource, id, change: 'deleted' })
    this.#touch(id)
  }

  /** Records that match, in order of creation. */
  async findMany(predicate: (record: T) => boolean): Promise<T[]> {
    const changes = this.#index.changes
    if (changes.size === 0) return this.base.findMany(predicate)
    const store = await this.#settled()
    const unchanged = await this.base.findMany((record) => !changes.has(record.id) && predicate(record))
    const changed = store.findMany((query) => query.where(predicate))
    if (changed.length === 0) return unchanged
    const later = new Map([...changes.keys()].map((id, position) => [id, this.base.byId.size + position]))
    const positionOf = ({ id }: T) => this.base.positions.get(id) ?? later.get(id) ?? 0
    return [...unchanged, ...changed].sort((a, b) => positionOf(a) - positionOf(b))
  }

  /** All records in order of creation, without a query: for export and settling. */
  all(): T[] {
    return [...this.#index.entries()].map(([, record]) => record)
  }

  #touch(id: string): void {
    this.#unsettled.add(id)
    this.#undo.push(() => this.#unsettled.add(id))
  }

  async #settled(): Promise<RecordStore<T>> {
    this.#store ??= newStore(this.base.schema)
    const store = await this.#store
    const ids = this.#unsettled
    this.#unsettled = new Set()
    if (ids.size > 0) {
      store.deleteMany((query) => query.where((record) => ids.has(record.id)))
      for (const id of ids) {
        const record = this.#index.changes.get(id)
        if (record) await store.create(record)
      }
    }
    return store
  }
}
