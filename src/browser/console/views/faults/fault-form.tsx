// The form that sets a fault; offers only what the contract documents.
import { errorKinds, limitOfKind, type LimitName } from '../../../../contract/errors.ts'
import { type OperationId, operationList, operations } from '../../../../contract/index.ts'
import {
  allowedStatuses,
  faultKind,
  type FaultSpec,
  type FaultStatuses,
  kindsFor,
} from '../../../../core/fault-spec.ts'
import { Button } from '../../parts/button.tsx'
import { type ViewState, useConsole, useDraft } from '../../parts/context.ts'
import { SegmentedControl, Switch } from '../../parts/controls.tsx'
import { Field, Form, Input, labelled, Select } from '../../parts/fields.tsx'
import { useScope } from '../../parts/scope.tsx'
import { faultText } from './fault-text.ts'

const specOfOperation = (id: OperationId | undefined) => (id === undefined ? undefined : operations[id])

const errorStatusesOf = (id: OperationId | undefined) =>
  allowedStatuses(specOfOperation(id)).filter((status) => status >= 400)

/** What a status of an operation means without a limit. */
function meaningOf(id: OperationId | undefined, status: number): string {
  const kind = faultKind(specOfOperation(id), status, undefined)
  return kind === undefined ? '' : errorKinds[kind].when
}

/** The limits that an operation can exceed with a status. */
function resourcesOf(id: OperationId | undefined, status: number): LimitName[] {
  const kinds = kindsFor(specOfOperation(id)).filter((kind) => errorKinds[kind].status === status)
  return [...new Set(kinds.map(limitOfKind))].filter((limit) => limit !== undefined)
}

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
function allowedDraft(draft: Draft): Draft {
  const statuses = errorStatusesOf(draft.operation)
  const status = statuses.includes(draft.status) ? draft.status : (statuses.at(-1) ?? 500)
  const resource = resourcesOf(draft.operation, status).find((name) => name === draft.resource)
  return { ...draft, status, resource }
}

function specOf(draft: Draft): FaultSpec {
  const { operation, outcome, status, resource, retryAfter, times, phase, delayMs } = draft
  return {
    ...(operation !== undefined && { operation }),
    times,
    ...(outcome === 'slow' ? { status: specOfOperation(operation)?.success.status ?? 200 } : { phase }),
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

function StatusFields({ draft, change }: PartProps) {
  const { operation, status, resource, retryAfter } = draft
  const resources = resourcesOf(operation, status)
  const statuses = errorStatusesOf(operation).map((one) => ({
    id: String(one),
    label: `${String(one)}: ${meaningOf(operation, one)}`,
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

const operationChoices = operationList.map(({ id, tag }) => ({ id, label: id, group: tag }))

/** The fault that another view proposes in the view state. */
function proposedDraft({ operation, status }: ViewState): Draft {
  const id = operation !== undefined && Object.hasOwn(operations, operation) ? operation : undefined
  return allowedDraft({
    ...initialDraft,
    operation: id as OperationId | undefined,
    status: status === undefined ? initialDraft.status : Number(status),
  })
}

export function FaultForm() {
  const { viewState } = useConsole()
  const { text } = useScope()
  const proposed = `${viewState.operation ?? ''} ${viewState.status ?? ''}`
  const [draft, setDraft] = useDraft(`fault ${proposed}`, proposedDraft(viewState))
  const change = (changed: Partial<Draft>) => setDraft(allowedDraft({ ...draft, ...changed }))
  const spec = specOf(draft)
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
      {draft.outcome === 'status' && <StatusFields draft={draft} change={change} />}
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
