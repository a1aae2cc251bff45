// The form that sets a fault; offers only what the contract documents.
import { idsOf } from '../../../../contract/data/maps.ts'
import { errorKinds, limitOfKind, type ErrorKind, type LimitName } from '../../../../contract/errors.ts'
import type { OperationCoverage } from '../../../../mock/journal/coverage.ts'
import { anyKinds, faultKindOf, kindsOfStatus } from '../../../../mock/faults/fault-kinds.ts'
import type { FaultSpec, FaultStatuses } from '../../../../mock/faults/fault-spec.ts'
import { Failure } from '../../parts/blocks.tsx'
import { type ScopedRun, useConsole, useDraft, useLoaded } from '../../parts/context.ts'
import { Button, SegmentedControl, Switch } from '../../parts/controls.tsx'
import { type Choice, Form, Input, toChoices, Select } from '../../parts/fields.tsx'
import { describeFault } from './fault-text.ts'

type OperationId = OperationCoverage['operation']

/** Read from the mock: the schemas of the contract would double the size of the console. */
type Documented = readonly OperationCoverage[]

const outcomesOf = (all: Documented, id: string) => all.find(({ operation }) => operation === id)?.outcomes

const kindsOf = (documented: Documented, id: string): readonly ErrorKind[] =>
  (outcomesOf(documented, id)
    ?.map((outcome) => outcome.case)
    .filter((kind) => kind in errorKinds) as ErrorKind[] | undefined) ?? anyKinds

/** The statuses, such as `404: the record does not exist`, each followed by its limits, such as `429 requestsPerMonth`. */
function listErrorChoices(kinds: readonly ErrorKind[]): Choice[] {
  const statuses = [...new Set<number>(kinds.map((kind) => errorKinds[kind].status))].sort((a, b) => a - b)
  return statuses.flatMap((status) => {
    const kind = faultKindOf(kinds, status, undefined)
    const limits = new Set(kindsOfStatus(kinds, status).map(limitOfKind))
    return [
      { id: String(status), label: `${String(status)}: ${kind ? errorKinds[kind].when : ''}` },
      ...toChoices([...limits].flatMap((limit) => (limit ? `${String(status)} ${limit}` : []))),
    ]
  })
}

const outcomes = { status: 'Error', network: 'Broken connection', slow: 'Slow response' }
const phases = { before: 'Before it is carried out', after: 'After it is carried out' }

/** The values of the fields; '' is not sent. */
const initialDraft = {
  operation: '',
  outcome: 'status' as keyof typeof outcomes,
  /** A status, or a status and a limit. */
  error: '503',
  retryAfter: '1',
  times: '1',
  isLasting: false,
  phase: 'before' as keyof typeof phases,
  delayMs: '0',
  isEverywhere: false,
}
type Draft = Readonly<typeof initialDraft>

/** If the operation cannot fail with the chosen error, keeps the status without its limit if possible. */
function replaceInvalidError(draft: Draft, documented: Documented): Draft {
  const errors = idsOf(listErrorChoices(kindsOf(documented, draft.operation)))
  const [status = ''] = draft.error.split(' ')
  const error = [draft.error, status].find((one) => errors.includes(one)) ?? errors.at(-1) ?? '500'
  return { ...draft, error }
}

const parseWholeNumber = (text: string, least: number) => Math.max(least, Math.round(Number(text)))

function specOf(draft: Draft, documented: Documented): FaultSpec {
  const { operation, outcome, retryAfter, times, isLasting, phase, isEverywhere } = draft
  const [status, resource] = draft.error.split(' ')
  const delayMs = parseWholeNumber(draft.delayMs, 0)
  const usual = outcomesOf(documented, operation)?.[0]?.status ?? 200
  return {
    ...(operation !== '' && { operation: operation as OperationId }),
    times: isLasting ? null : parseWholeNumber(times, 1),
    ...(outcome === 'slow' ? { status: usual } : { phase }),
    ...(outcome === 'network' && { network: true }),
    ...(outcome === 'status' && {
      status: Number(status) as FaultStatuses[OperationId],
      ...(resource !== undefined && { resource: resource as LimitName }),
      ...(status === '429' && { retryAfter: parseWholeNumber(retryAfter, 1) }),
    }),
    ...(delayMs > 0 && { delayMs }),
    ...(isEverywhere && { sandboxes: 'all' }),
  }
}

export function FaultForm() {
  const { source } = useConsole()
  const { value, failure } = useLoaded(() => source.controls(null).coverage(), [])
  return value ? <FaultFields documented={value.operations} /> : <Failure message={failure} />
}

function FaultFields({ documented }: { documented: Documented }) {
  const { place, viewState, isAll, names } = useConsole()
  const { operation = '', status: error = initialDraft.error } = viewState
  const initial = { ...initialDraft, isEverywhere: isAll, operation, error }
  const proposed = replaceInvalidError(initial, documented)
  const [draft, setDraft] = useDraft(`fault ${operation} ${error}`, proposed)
  const bind = <Name extends keyof Draft>(name: Name) => ({
    value: draft[name],
    set: (value: Draft[Name]) => setDraft(replaceInvalidError({ ...draft, [name]: value }, documented)),
  })
  const errors = listErrorChoices(kindsOf(documented, draft.operation))
  const spec = specOf(draft, documented)
  const lasting = bind('isLasting')
  const everywhere = bind('isEverywhere')
  // A fault for all sandboxes is set once.
  const set: ScopedRun = (controls, sandbox) =>
    spec.sandboxes && sandbox !== names[0] ? undefined : controls.fault(spec)
  const isError = draft.outcome === 'status'
  return (
    <Form class="sheet fault-form" run={set} done="Fault set.">
      <h3>Set a fault</h3>
      <Select
        field="Operation"
        empty="Any operation"
        choices={toChoices(documented.map((one) => one.operation))}
        {...bind('operation')}
      />
      <SegmentedControl legend="What happens" choices={outcomes} {...bind('outcome')} />
      {isError && <Select field="Status" empty={null} choices={errors} {...bind('error')} />}
      {isError && draft.error.startsWith('429') && (
        <Input field="Retry-After, in seconds" type="number" min={1} {...bind('retryAfter')} />
      )}
      {draft.outcome !== 'slow' && <SegmentedControl legend="When" choices={phases} {...bind('phase')} />}
      <div class="pair">
        <Input field="How often" type="number" min={1} disabled={lasting.value} {...bind('times')} />
        <Input field="Delay, in milliseconds" type="number" min={0} {...bind('delayMs')} />
      </div>
      <Switch label="Until it is removed" isOn={lasting.value} set={lasting.set} />
      <Switch
        label="In all sandboxes, including those made later"
        isOn={everywhere.value}
        set={everywhere.set}
      />
      <p class="preview" aria-live="polite">
        {describeFault(spec)}
      </p>
      <Button kind="primary">{`Set the fault${everywhere.value ? ' in all sandboxes' : place && ` in ${place}`}`}</Button>
    </Form>
  )
}
