// The form that sets a fault: only what the contract documents can be chosen.
import { useState } from 'preact/hooks'
import { errorKinds, generalErrors, type ErrorKind, type LimitName } from '../../../../contract/errors.ts'
import { operationList, operations, type OperationId } from '../../../../contract/index.ts'
import { errorKindsOf } from '../../../../contract/operation.ts'
import type { FaultSpec, FaultStatuses } from '../../../../core/fault-spec.ts'
import { useConsole } from '../../parts/context.ts'
import type { Place } from '../../parts/place.ts'
import { Button, Field, Segmented, Switch, typed } from '../../parts/controls.tsx'
import { faultText } from './fault-text.ts'

const kindsOf = (operation: OperationId | undefined): ErrorKind[] =>
  operation === undefined
    ? (Object.keys(errorKinds) as ErrorKind[])
    : errorKindsOf(operations[operation], generalErrors)

const limitOf = (kind: ErrorKind): LimitName | undefined => {
  const spec = errorKinds[kind]
  return 'limit' in spec ? spec.limit : undefined
}

interface StatusChoice {
  readonly status: number
  readonly when: string
}

/** The error statuses of an operation, each with what it stands for there. */
function statusesOf(operation: OperationId | undefined): StatusChoice[] {
  const byStatus = new Map<number, ErrorKind[]>()
  for (const kind of kindsOf(operation)) {
    const { status } = errorKinds[kind]
    byStatus.set(status, [...(byStatus.get(status) ?? []), kind])
  }
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, kinds]) => ({ status, when: errorKinds[kinds.at(-1) ?? 'serverError'].when }))
}

/** The limits that a status of an operation can be over. */
function resourcesOf(operation: OperationId | undefined, status: number): LimitName[] {
  const limits = kindsOf(operation)
    .filter((kind) => errorKinds[kind].status === status)
    .map(limitOf)
  return [...new Set(limits)].filter((limit) => limit !== undefined)
}

/** How a fault ends a request. */
type Outcome = 'status' | 'network' | 'slow'

interface Draft {
  readonly operation: OperationId | undefined
  readonly outcome: Outcome
  readonly status: number
  readonly resource: LimitName | undefined
  readonly retryAfter: number
  readonly times: number | null
  readonly phase: 'before' | 'after'
  readonly delayMs: number
}

const fresh: Draft = {
  operation: undefined,
  outcome: 'status',
  status: 503,
  resource: undefined,
  retryAfter: 1,
  times: 1,
  phase: 'before',
  delayMs: 0,
}

/** Keeps what goes together together: another operation may not have the status that was chosen. */
function fitting(draft: Draft): Draft {
  const statuses = statusesOf(draft.operation).map(({ status }) => status)
  const status = statuses.includes(draft.status) ? draft.status : (statuses.at(-1) ?? 500)
  const isAmong =
    draft.resource !== undefined && resourcesOf(draft.operation, status).includes(draft.resource)
  return { ...draft, status, resource: isAmong ? draft.resource : undefined }
}

function specOf({
  operation,
  outcome,
  status,
  resource,
  retryAfter,
  times,
  phase,
  delayMs,
}: Draft): FaultSpec {
  const success = operation === undefined ? 200 : operations[operation].success.status
  return {
    ...(operation === undefined ? {} : { operation }),
    times,
    ...(outcome === 'slow' ? { status: success } : { phase }),
    ...(outcome === 'network' ? { network: true } : {}),
    ...(outcome === 'status' ? { status: status as FaultStatuses[OperationId] } : {}),
    ...(outcome === 'status' && resource !== undefined ? { resource } : {}),
    ...(outcome === 'status' && status === 429 ? { retryAfter } : {}),
    ...(delayMs > 0 ? { delayMs } : {}),
  }
}

const outcomes = [
  { value: 'status', label: 'Error' },
  { value: 'network', label: 'Broken connection' },
  { value: 'slow', label: 'Slow response' },
] as const
const phases = [
  { value: 'before', label: 'Before it is carried out' },
  { value: 'after', label: 'After it is carried out' },
] as const

interface PartProps {
  readonly draft: Draft
  readonly change: (change: Partial<Draft>) => void
}

const numberOf = (event: Event) => Number((event.currentTarget as HTMLInputElement).value)

function OperationField({ draft, change }: PartProps) {
  const tags = [...new Set(operationList.map(({ tag }) => tag))]
  const choose = (event: Event) =>
    change({ operation: (typed(event) || undefined) as OperationId | undefined })
  return (
    <Field label="Operation">
      <select value={draft.operation ?? ''} onChange={choose}>
        <option value="">Any operation</option>
        {tags.map((tag) => (
          <optgroup key={tag} label={tag}>
            {operationList
              .filter((operation) => operation.tag === tag)
              .map(({ id }) => (
                <option key={id} value={id}>
                  {id}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </Field>
  )
}

function StatusFields({ draft, change }: PartProps) {
  const { operation, status, resource, retryAfter } = draft
  const resources = resourcesOf(operation, status)
  return (
    <>
      <Field label="Status">
        <select value={String(status)} onChange={(event) => change({ status: Number(typed(event)) })}>
          {statusesOf(operation).map((choice) => (
            <option key={choice.status} value={String(choice.status)}>
              {choice.status}: {choice.when}
            </option>
          ))}
        </select>
      </Field>
      {resources.length > 0 && (
        <Field label="Over which limit">
          <select
            value={resource ?? ''}
            onChange={(event) => change({ resource: (typed(event) || undefined) as LimitName | undefined })}
          >
            <option value="">The operation's own</option>
            {resources.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
      {status === 429 && (
        <Field label="Retry-After, in seconds">
          <input
            type="number"
            min="1"
            value={retryAfter}
            onInput={(event) => change({ retryAfter: Math.max(1, Math.round(numberOf(event))) })}
          />
        </Field>
      )}
    </>
  )
}

function ExtentFields({ draft, change }: PartProps) {
  return (
    <>
      <div class="pair">
        <Field label="How often">
          <input
            type="number"
            min="1"
            disabled={draft.times === null}
            value={draft.times ?? ''}
            onInput={(event) => change({ times: Math.max(1, Math.round(numberOf(event))) })}
          />
        </Field>
        <Field label="Delay, in milliseconds">
          <input
            type="number"
            min="0"
            step="100"
            value={draft.delayMs}
            onInput={(event) => change({ delayMs: Math.max(0, numberOf(event)) })}
          />
        </Field>
      </div>
      <Switch
        label="Until it is removed"
        isOn={draft.times === null}
        onChange={(isOn) => change({ times: isOn ? null : 1 })}
      />
    </>
  )
}

/** What another view asks for in the address. */
function asked({ operation, status }: Place): Draft {
  const id = operation !== undefined && Object.hasOwn(operations, operation) ? operation : undefined
  return fitting({
    ...fresh,
    operation: id as OperationId | undefined,
    status: status === undefined ? fresh.status : Number(status),
  })
}

export function FaultForm() {
  const { controls, act, place } = useConsole()
  const [draft, setDraft] = useState(() => asked(place))
  const change = (changed: Partial<Draft>) => setDraft(fitting({ ...draft, ...changed }))
  const spec = specOf(draft)
  const add = () => void act(() => controls.fault(spec), 'Fault set.')
  return (
    <form class="sheet fault-form" onSubmit={(event) => event.preventDefault()}>
      <h3>Set a fault</h3>
      <OperationField draft={draft} change={change} />
      <Segmented
        legend="What happens"
        choices={outcomes}
        value={draft.outcome}
        onChange={(outcome) => change({ outcome })}
      />
      {draft.outcome === 'status' && <StatusFields draft={draft} change={change} />}
      {draft.outcome !== 'slow' && (
        <Segmented
          legend="When"
          choices={phases}
          value={draft.phase}
          onChange={(phase) => change({ phase })}
        />
      )}
      <ExtentFields draft={draft} change={change} />
      <p class="preview" aria-live="polite">
        {faultText(spec)}
      </p>
      <Button kind="primary" onClick={add}>
        Set the fault
      </Button>
    </form>
  )
}
