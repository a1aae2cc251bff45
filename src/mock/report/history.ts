// What rules remember about earlier requests: an entry for each client and subject, such as a job, a form or a table.
import { BoundedMap } from '../../contract/data/bounded-map.ts'
import type { OpenExchange } from '../requests/exchange.ts'

const mostEntries = 1000

/** Identifies a client by the header it sends, because a fault responds before the key is checked. */
export const clientOf = ({ authorization }: OpenExchange): string => authorization ?? ''

/** Whether the client already had the response to an earlier request when it sent this one. */
export const hasSeen = ({ after }: OpenExchange, id: number): boolean => after >= id

/** A map of limited size; it forgets the entries set longest ago. */
export class History<Entry> {
  readonly #byClient: BoundedMap<Entry>

  constructor(most = mostEntries) {
    this.#byClient = new BoundedMap(most)
  }

  get isEmpty(): boolean {
    return this.#byClient.isEmpty
  }

  get(exchange: OpenExchange, subject: string): Entry | undefined {
    return this.#byClient.get(`${clientOf(exchange)} ${subject}`)
  }

  set(exchange: OpenExchange, subject: string, entry: Entry): void {
    this.#byClient.set(`${clientOf(exchange)} ${subject}`, entry)
  }

  delete(exchange: OpenExchange, subject: string): void {
    this.#byClient.delete(`${clientOf(exchange)} ${subject}`)
  }

  entries(): Entry[] {
    return [...this.#byClient].map(([, entry]) => entry)
  }
}
