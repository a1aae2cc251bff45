// Rule made-twice: a write was carried out, its connection broke, and the client repeated it without checking. Source:
// contract, Errors, rule 2
import { shorten } from '../../contract/text/quote.ts'
import { addressOf } from '../journal/weight.ts'
import type { BegunExchange } from '../requests/exchange.ts'
import type { Findings } from './findings.ts'
import { hasSeen, History } from './history.ts'
import { signatureOf } from './retries.ts'

const mostLost = 20

/** A write that was carried out without its client knowing. */
interface LostWrite {
  readonly signature: string
  readonly id: number
  readonly resource: string
  /** The first record it created. */
  readonly created: string
}

export class LostRules {
  readonly #findings: Findings
  readonly #lost = new History<readonly LostWrite[]>()

  constructor(findings: Findings) {
    this.#findings = findings
  }

  get isIdle(): boolean {
    return this.#lost.isEmpty
  }

  add(exchange: BegunExchange): void {
    const { id, call, status, effects, response } = exchange
    const { method } = call
    const lost = this.#lost.get(exchange, '') ?? []
    if (method === 'GET') {
      // A client that has read the record knows it exists, so a repeat is deliberate.
      const isKnown = ({ created }: LostWrite) =>
        typeof response.body === 'string' && response.body.includes(`"${created}"`)
      const unknown = lost.filter((write) => !isKnown(write))
      if (unknown.length < lost.length) this.#lost.set(exchange, '', unknown)
      return
    }
    const created = effects.find(({ change }) => change === 'created')
    const own = created && signatureOf(exchange)
    if (!created || own === undefined) return
    const { resource } = created
    const target = `${method} ${addressOf(call)}`
    const signature = `${target} ${own}`
    const former = lost.find(
      (write) => write.signature === signature && write.resource === resource && hasSeen(exchange, write.id),
    )
    if (former) {
      const text = `${shorten(target)} was repeated after its connection had broken, and created ${created.id} in addition to ${former.created}`
      this.#findings.add(exchange, 'made-twice', exchange.operation ?? target, text, [former.id])
    }
    const others = lost.filter((write) => write !== former)
    if (status === 0)
      this.#lost.set(exchange, '', [
        ...others.slice(1 - mostLost),
        { signature, id, resource, created: created.id },
      ])
    else if (former) this.#lost.set(exchange, '', others)
  }
}
