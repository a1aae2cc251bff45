// Controls for faults, journal, coverage and report.
import * as z from 'zod/mini'
import { parseOrThrow } from '../parse-or-throw.ts'
import { assertExists } from '../control-error.ts'
import { toJournalEntry } from '../journal/entry.ts'
import { toJournalHar } from '../copies/har.ts'
import { journalFilterSchema, type JournalFilter } from '../journal/journal.ts'
import { reportOptionsSchema } from '../sandboxes/client-report.ts'
import { parseFaultSpec } from '../faults/fault-spec.ts'
import type { Sandbox } from '../sandboxes/sandbox.ts'
import { copyFormats, copyRequests } from '../copies/copy-as.ts'
import { withDependencies } from '../copies/dependencies.ts'
import { copyTest } from '../copies/copy-test.ts'
import { explain, type Places } from '../explain/explain.ts'
import type { MockControls } from './mock-controls.ts'

const CopyArguments = z.lazy(() => {
  const selected = z.union([z.number(), z.looseObject({ id: z.number() })])
  return z.strictObject({
    format: z.enum(copyFormats),
    requests: z.optional(z.union([selected, z.array(selected)])),
  })
})

export const findExchanges = ({ journal }: Sandbox, filter: JournalFilter = {}) =>
  journal.exchanges(parseOrThrow(journalFilterSchema, filter, 'filter'))

export function createJournalControls(
  sandboxOf: () => Sandbox,
  baseUrl: string,
  sandboxName: string | undefined,
  places: Places,
) {
  const { sandboxes } = places
  const getExchange = (id: number) => assertExists(sandboxOf().journal.find(id), 'request', id)
  return {
    fault: (spec) => {
      const sandbox = sandboxOf()
      const known = parseFaultSpec(spec, sandbox.store)
      if (known.sandboxes) return sandboxes.addFault(known, sandbox)
      return sandbox.change(({ faults }) => faults.add(known))
    },
    faults: () => sandboxOf().faults.listStates(),
    removeFault: (id) => sandboxes.removeFault(id, sandboxOf()),
    resetFaults: () => sandboxes.clearFaults(sandboxOf()),
    requests: (filter) => findExchanges(sandboxOf(), filter).map(toJournalEntry),
    clearRequests: () => sandboxOf().change(({ journal }) => journal.clear()),
    copyAs: (format, requests) => {
      const { requests: given } = parseOrThrow(CopyArguments, { format, requests }, 'copyAs')
      const { journal, store } = sandboxOf()
      const exchanges =
        given === undefined
          ? journal.exchanges()
          : [given].flat().map((item) => getExchange(typeof item === 'number' ? item : item.id))
      const source = { store, sandboxName }
      if (format !== 'vitest') return copyRequests(format, exchanges, source)
      const all = journal.exchanges()
      if (given === undefined) return copyTest(all, { ...source, all })
      return copyTest(withDependencies(all, exchanges), { ...source, all, chosen: new Set(exchanges) })
    },
    har: () => toJournalHar(baseUrl, sandboxOf().journal.exchanges()),
    coverage: () => sandboxOf().coverage.report(),
    explain: () => explain(sandboxOf(), places),
    report: (options = {}) =>
      sandboxOf().report.findings(parseOrThrow(reportOptionsSchema, options, 'options')),
  } satisfies Partial<MockControls>
}
