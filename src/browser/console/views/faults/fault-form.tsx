// The form that sets a fault; offers only what the contract documents.
import { errorKinds, limitOfKind, type ErrorKind, type LimitName } from '../../../../contract/errors.ts'
import { defaultScopes } from '../../../../contract/scopes.ts'
import type { OperationCoverage } from '../../../../core/coverage.ts'
import { anyKinds, faultKindOf, kindsOfStatus } from '../../../../core/fault-kinds.ts'
import type { FaultSpec, FaultStatuses } from '../../../../core/fault-spec.ts'
import { Failure } from '../../parts/blocks.tsx'
import { Button } from '../../parts/button.tsx'
import { type ViewState, useConsole, useDraft, useLoaded } from '../../parts/context.ts'
import { SegmentedControl, Switch } from '../../parts/controls.tsx'
import { Field, Form, Input, labelled, Select } from '../../parts/fields.tsx'
import { useScope } from '../../parts/scope.tsx'
import { faultText } from './fault-text.ts'

type OperationId = OperationCoverage['operation']

/** The operations with their documented outcomes, from the mock: the schemas of the contract would double the console. */
type Documented = readonly OperationCoverage[]

const outcomesOf = (documented: Documented, id: OperationId | undefined) =>
  documented.find(({ operation }) => operation === id)?.outcomes

/** The kinds of errors of an operation, or of any. */
const kindsOf = (documented: Documented, id: OperationId | undefined): readonly ErrorKind[] =>
  (outcomesOf(documented, id)
    ?.map((outcome) => outcome.case)
    .filter((kind) => kind in errorKinds) as ErrorKind[] | undefined) ?? anyKinds

const statusesOf = (kinds: readonly ErrorKind[]) =>
  [...new Set<number>(kinds.map((kind) => errorKinds[kind].status))].sort((a, b) => a - b)

/** What a status means without a limit. */
function meaningOf(kinds: readonly ErrorKind[], status: number): string {
  const kind = faultKindOf(kinds, status, undefined)
  return kind === undefined ? '' : errorKinds[kind].when
}

/** The limits that can be exceeded with a status. */
const resourcesOf = (kinds: readonly ErrorKind[], status: number): LimitName[] =>
  [...new Set(kindsOfStatus(kinds, status).map(limitOfKind))].filter((limit) => limit !== undefined)

const outcomes = { status: 'Error', network: 'Broken connection', slow: 'Slow response' }
const phases = { before: 'Before it is carried out', after: 'After it is carried out' }

/** What the form shows; `outcome` is how the fault ends a request. */
const initialDraft = {
  operation: undefined as OperationId | undefined,
  outcome: 'status' as keyof typeof outcomes,
  status: 503,
  resource: undefined as LimitName | undefined,
  retryAfter: 1,
  times: 1 as number | null,
  phase: 'before' as keyof typeof phases,
  delayMs: 0,
}
type Draft = Readonly<typeof initialDraft>

/** Replaces a status or limit that the chosen operation does not have. */
function allowedDraft(draft: Draft, documented: Documented): Draft {
  const kinds = kindsOf(documented, draft.operation)
  const statuses = statusesOf(kinds)
  const status = statuses.includes(draft.status) ? draft.status : (statuses.at(-1) ?? 500)
  const resource = resourcesOf(kinds, status).find((name) => name === draft.resource)
  return { ...draft, status, resource }
}

function specOf(draft: Draft, documented: Documented): FaultSpec {
  const { operation, outcome, status, resource, retryAfter, times, phase, delayMs } = draft
  return {
    ...(operation !== undefined && { operation }),
    times,
    ...(outcome === 'slow'
      ? { status: (outcomesOf(documented, operation)?.[0]?.status ?? 200) as FaultStatuses[OperationId] }
      : { phase }),
    ...(outcome === 'network' && { network: true }),
    ...(outcome === 'status' && {
      status: status as FaultStatuses[OperationId],
      ...(resource !== undefined && { resource }),
      ...(status === 429 && { retryAfter }),
    }),
    ...(delayMs > 0 && { delayMs }),
  }
}

interface PartProps {
  readonly draft: Draft
  readonly change: (change: Partial<Draft>) => void
}

interface NumberFieldProps {
  readonly label: string
  readonly min: number
  /** Null disables the field. */
  readonly value: number | null
  readonly set: (value: number) => void
}

function NumberField({ label, min, value, set }: NumberFieldProps) {
  return (
    <Field label={label}>
      <Input
        type="number"
        min={min}
        disabled={value === null}
        value={value ?? ''}
        set={(text) => set(Math.max(min, Math.round(Number(text))))}
      />
    </Field>
  )
}

function StatusFields({ draft, change, kinds }: PartProps & { readonly kinds: readonly ErrorKind[] }) {
  const { status, resource, retryAfter } = draft
  const resources = resourcesOf(kinds, status)
  const statuses = statusesOf(kinds).map((one) => ({
    id: String(one),
    label: `${String(one)}: ${meaningOf(kinds, one)}`,
  }))
  return (
    <>
      <Field label="Status">
        <Select
          empty={null}
          choices={statuses}
          value={String(status)}
          set={(text) => change({ status: Number(text) })}
        />
      </Field>
      {resources.length > 0 && (
        <Field label="Exceeded limit">
          <Select
            empty="Default of the operation"
            choices={labelled(resources)}
            value={resource ?? ''}
            set={(name) => change({ resource: (name || undefined) as LimitName | undefined })}
          />
        </Field>
      )}
      {status === 429 && (
        <NumberField
          label="Retry-After, in seconds"
          min={1}
          value={retryAfter}
          set={(seconds) => change({ retryAfter: seconds })}
        />
      )}
    </>
  )
}

function TimesFields({ draft: { times, delayMs }, change }: PartProps) {
  return (
    <>
      <div class="pair">
        <NumberField label="How often" min={1} value={times} set={(often) => change({ times: often })} />
        <NumberField
          label="Delay, in milliseconds"
          min={0}
          value={delayMs}
          set={(ms) => change({ delayMs: ms })}
        />
      </div>
      <Switch
        label="Until it is removed"
        isOn={times === null}
        onChange={(isOn) => change({ times: isOn ? null : 1 })}
      />
    </>
  )
}

/** A group for each resource of a scope. */
const operationChoices = Object.entries(defaultScopes).map(([id, scope]) => {
  return { id, label: id, group: scope.replace(/:.*/, '') }
})

/** The fault that another view proposes in the view state. */
function proposedDraft({ operation, status }: ViewState, documented: Documented): Draft {
  const proposed = {
    ...initialDraft,
    operation: documented.find((one) => one.operation === operation)?.operation,
    status: status === undefined ? initialDraft.status : Number(status),
  }
  return allowedDraft(proposed, documented)
}

export function FaultForm() {
  const { source } = useConsole()
  const { value, failure } = useLoaded(() => source.controls(null).coverage(), [])
  if (value) return <FaultFields documented={value.operations} />
  return failure === null ? null : <Failure message={failure} />
}

function FaultFields({ documented }: { readonly documented: Documented }) {
  const { viewState } = useConsole()
  const { text } = useScope()
  const proposed = `${viewState.operation ?? ''} ${viewState.status ?? ''}`
  const [draft, setDraft] = useDraft(`fault ${proposed}`, proposedDraft(viewState, documented))
  const change = (changed: Partial<Draft>) => setDraft(allowedDraft({ ...draft, ...changed }, documented))
  const spec = specOf(draft, documented)
  return (
    <Form class="sheet fault-form" run={(controls) => controls.fault(spec)} done="Fault set.">
      <h3>Set a fault</h3>
      <Field label="Operation">
        <Select
          empty="Any operation"
          choices={operationChoices}
          value={draft.operation ?? ''}
          set={(id) => change({ operation: (id || undefined) as OperationId | undefined })}
        />
      </Field>
      <SegmentedControl
        legend="What happens"
        choices={outcomes}
        value={draft.outcome}
        onChange={(outcome) => change({ outcome })}
      />
      {draft.outcome === 'status' && (
        <StatusFields draft={draft} change={change} kinds={kindsOf(documented, draft.operation)} />
      )}
      {draft.outcome !== 'slow' && (
        <SegmentedControl
          legend="When"
          choices={phases}
          value={draft.phase}
          onChange={(phase) => change({ phase })}
        />
      )}
      <TimesFields draft={draft} change={change} />
      <p class="preview" aria-live="polite">
        {faultText(spec)}
      </p>
      <Button kind="primary">Set the fault{text !== '' && ` in ${text}`}</Button>
    </Form>
  )
}
