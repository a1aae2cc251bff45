// The form that sets a fault; offers only what the contract documents.
import { errorKinds, limitOfKind, type ErrorKind, type LimitName } from '../../../../contract/errors.ts'
import { defaultScopes } from '../../../../contract/scopes.ts'
import type { OperationCoverage } from '../../../../core/coverage.ts'
import { anyKinds, faultKindOf, kindsOfStatus } from '../../../../core/fault-kinds.ts'
import type { FaultSpec, FaultStatuses } from '../../../../core/fault-spec.ts'
import { Failure } from '../../parts/blocks.tsx'
import { useConsole, useDraft, useLoaded } from '../../parts/context.ts'
import { Button, SegmentedControl, Switch } from '../../parts/controls.tsx'
import { Form, Input, labelled, Select } from '../../parts/fields.tsx'
import { faultText } from './fault-text.ts'

type OperationId = OperationCoverage['operation']

/** The operations with their documented outcomes, from the mock: the schemas of the contract would double the console. */
type Documented = readonly OperationCoverage[]

const outcomesOf = (documented: Documented, id: string) =>
  documented.find(({ operation }) => operation === id)?.outcomes

const kindsOf = (documented: Documented, id: string): readonly ErrorKind[] =>
  (outcomesOf(documented, id)
    ?.map((outcome) => outcome.case)
    .filter((kind) => kind in errorKinds) as ErrorKind[] | undefined) ?? anyKinds

const statusesOf = (kinds: readonly ErrorKind[]) =>
  [...new Set<number>(kinds.map((kind) => errorKinds[kind].status))].sort((a, b) => a - b)

/** `404: the record does not exist`, without a limit. */
function statusLabel(kinds: readonly ErrorKind[], status: number): string {
  const kind = faultKindOf(kinds, status, undefined)
  return `${String(status)}: ${kind === undefined ? '' : errorKinds[kind].when}`
}

const resourcesOf = (kinds: readonly ErrorKind[], status: number): LimitName[] =>
  [...new Set(kindsOfStatus(kinds, status).map(limitOfKind))].filter((limit) => limit !== undefined)

const outcomes = { status: 'Error', network: 'Broken connection', slow: 'Slow response' }
const phases = { before: 'Before it is carried out', after: 'After it is carried out' }

/** What the form shows; an empty text is not sent, and `outcome` is how the fault ends a request. */
const initialDraft = {
  operation: '',
  outcome: 'status' as keyof typeof outcomes,
  status: '503',
  resource: '',
  retryAfter: '1',
  times: '1',
  isLasting: false,
  phase: 'before' as keyof typeof phases,
  delayMs: '0',
}
type Draft = Readonly<typeof initialDraft>

/** Replaces a status or limit that the chosen operation does not have. */
function allowedDraft(draft: Draft, documented: Documented): Draft {
  const kinds = kindsOf(documented, draft.operation)
  const statuses = statusesOf(kinds).map(String)
  const status = statuses.includes(draft.status) ? draft.status : (statuses.at(-1) ?? '500')
  const resources: readonly string[] = resourcesOf(kinds, Number(status))
  return { ...draft, status, resource: resources.includes(draft.resource) ? draft.resource : '' }
}

const wholeNumber = (text: string, least: number) => Math.max(least, Math.round(Number(text)))

function specOf(draft: Draft, documented: Documented): FaultSpec {
  const { operation, outcome, status, resource, retryAfter, times, isLasting, phase } = draft
  const delayMs = wholeNumber(draft.delayMs, 0)
  const usual = outcomesOf(documented, operation)?.[0]?.status ?? 200
  return {
    ...(operation !== '' && { operation: operation as OperationId }),
    times: isLasting ? null : wholeNumber(times, 1),
    ...(outcome === 'slow' ? { status: usual } : { phase }),
    ...(outcome === 'network' && { network: true }),
    ...(outcome === 'status' && {
      status: Number(status) as FaultStatuses[OperationId],
      ...(resource !== '' && { resource: resource as LimitName }),
      ...(status === '429' && { retryAfter: wholeNumber(retryAfter, 1) }),
    }),
    ...(delayMs > 0 && { delayMs }),
  }
}

const operationChoices = Object.entries(defaultScopes).map(([id, scope]) => {
  return { id, label: id, group: scope.replace(/:.*/, '') }
})

export function FaultForm() {
  const { source } = useConsole()
  const { value, failure } = useLoaded(() => source.controls(null).coverage(), [])
  return value ? <FaultFields documented={value.operations} /> : <Failure message={failure} />
}

/** Its first draft is what another view proposes in the view state. */
function FaultFields({ documented }: { documented: Documented }) {
  const { place, viewState } = useConsole()
  const { operation = '', status = initialDraft.status } = viewState
  const proposed = allowedDraft({ ...initialDraft, operation, status }, documented)
  const [draft, setDraft] = useDraft(`fault ${operation} ${status}`, proposed)
  const bind = <Name extends keyof Draft>(name: Name) => ({
    value: draft[name],
    set: (value: Draft[Name]) => setDraft(allowedDraft({ ...draft, [name]: value }, documented)),
  })
  const kinds = kindsOf(documented, draft.operation)
  const statuses = statusesOf(kinds).map((one) => ({ id: String(one), label: statusLabel(kinds, one) }))
  const resources = resourcesOf(kinds, Number(draft.status))
  const spec = specOf(draft, documented)
  const lasting = bind('isLasting')
  const isError = draft.outcome === 'status'
  return (
    <Form class="sheet fault-form" run={(controls) => controls.fault(spec)} done="Fault set.">
      <h3>Set a fault</h3>
      <Select field="Operation" empty="Any operation" choices={operationChoices} {...bind('operation')} />
      <SegmentedControl legend="What happens" choices={outcomes} {...bind('outcome')} />
      {isError && <Select field="Status" empty={null} choices={statuses} {...bind('status')} />}
      {isError && resources.length > 0 && (
        <Select
          {...{ field: 'Exceeded limit', empty: 'Default of the operation', choices: labelled(resources) }}
          {...bind('resource')}
        />
      )}
      {isError && draft.status === '429' && (
        <Input field="Retry-After, in seconds" type="number" min={1} {...bind('retryAfter')} />
      )}
      {draft.outcome !== 'slow' && <SegmentedControl legend="When" choices={phases} {...bind('phase')} />}
      <div class="pair">
        <Input field="How often" type="number" min={1} disabled={lasting.value} {...bind('times')} />
        <Input field="Delay, in milliseconds" type="number" min={0} {...bind('delayMs')} />
      </div>
      <Switch label="Until it is removed" isOn={lasting.value} set={lasting.set} />
      <p class="preview" aria-live="polite">
        {faultText(spec)}
      </p>
      <Button kind="primary">{`Set the fault${place === '' ? '' : ` in ${place}`}`}</Button>
    </Form>
  )
}
