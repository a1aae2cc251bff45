// The form that sets a fault; offers only what the contract documents.
import { errorKinds, limitOfKind, type ErrorKind, type LimitName } from '../../../../contract/errors.ts'
import { defaultScopes } from '../../../../contract/scopes.ts'
import type { OperationCoverage } from '../../../../core/coverage.ts'
import { anyKinds, faultKindOf, kindsOfStatus } from '../../../../core/fault-kinds.ts'
import type { FaultSpec, FaultStatuses } from '../../../../core/fault-spec.ts'
import { Failure } from '../../parts/blocks.tsx'
import { useConsole, useDraft, useLoaded } from '../../parts/context.ts'
import { Button, SegmentedControl, Switch } from '../../parts/controls.tsx'
import { Field, Form, Input, labelled, Select } from '../../parts/fields.tsx'
import { useScope } from '../../parts/scope.tsx'
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

/** What the form shows; '' is none, and `outcome` is how the fault ends a request. */
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
    ...(outcome === 'slow' ? { status: usual as FaultStatuses[OperationId] } : { phase }),
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
  const { operation = '', status = initialDraft.status } = useConsole().viewState
  const { text } = useScope()
  const proposed = allowedDraft({ ...initialDraft, operation, status }, documented)
  const [draft, setDraft] = useDraft(`fault ${operation} ${status}`, proposed)
  const change = (changed: Partial<Draft>) => setDraft(allowedDraft({ ...draft, ...changed }, documented))
  const field = (name: 'operation' | 'status' | 'resource' | 'retryAfter' | 'times' | 'delayMs') => ({
    value: draft[name],
    set: (entered: string) => change({ [name]: entered }),
  })
  const kinds = kindsOf(documented, draft.operation)
  const statuses = statusesOf(kinds).map((one) => ({ id: String(one), label: statusLabel(kinds, one) }))
  const resources = resourcesOf(kinds, Number(draft.status))
  const spec = specOf(draft, documented)
  const isError = draft.outcome === 'status'
  return (
    <Form class="sheet fault-form" run={(controls) => controls.fault(spec)} done="Fault set.">
      <h3>Set a fault</h3>
      <Field label="Operation">
        <Select empty="Any operation" choices={operationChoices} {...field('operation')} />
      </Field>
      <SegmentedControl
        {...{ legend: 'What happens', choices: outcomes, value: draft.outcome }}
        onChange={(outcome) => change({ outcome })}
      />
      {isError && (
        <Field label="Status">
          <Select empty={null} choices={statuses} {...field('status')} />
        </Field>
      )}
      {isError && resources.length > 0 && (
        <Field label="Exceeded limit">
          <Select empty="Default of the operation" choices={labelled(resources)} {...field('resource')} />
        </Field>
      )}
      {isError && draft.status === '429' && (
        <Field label="Retry-After, in seconds">
          <Input type="number" min={1} {...field('retryAfter')} />
        </Field>
      )}
      {draft.outcome !== 'slow' && (
        <SegmentedControl
          {...{ legend: 'When', choices: phases, value: draft.phase }}
          onChange={(phase) => change({ phase })}
        />
      )}
      <div class="pair">
        <Field label="How often">
          <Input type="number" min={1} disabled={draft.isLasting} {...field('times')} />
        </Field>
        <Field label="Delay, in milliseconds">
          <Input type="number" min={0} {...field('delayMs')} />
        </Field>
      </div>
      <Switch
        label="Until it is removed"
        isOn={draft.isLasting}
        onChange={(isLasting) => change({ isLasting })}
      />
      <p class="preview" aria-live="polite">
        {faultText(spec)}
      </p>
      <Button kind="primary">{`Set the fault${text === '' ? '' : ` in ${text}`}`}</Button>
    </Form>
  )
}
