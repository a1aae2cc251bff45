// Snapshots: states to come back to.
import { useState } from 'preact/hooks'
import { countText } from '../format.ts'
import { useConsole } from '../parts/context.ts'
import { ConfirmButton, Button, Field, typed } from '../parts/controls.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Empty, Failure } from '../parts/marks.tsx'

export function Snapshots() {
  const { world, act } = useConsole()
  const [name, setName] = useState('')
  const [changes, setChanges] = useState(0)
  const { value: names, failure } = useLoaded(() => world.snapshotNames(), [world, changes])
  const change = (action: () => Promise<unknown>, done: string) =>
    void act(action, done).then(() => setChanges(changes + 1))
  const save = (event: Event) => {
    event.preventDefault()
    change(() => world.saveSnapshot(name), `Saved as ${name}.`)
    setName('')
  }
  return (
    <div class="snapshots">
      <p class="lead">
        A snapshot keeps state, clock, plan, limits and answers. Journal and faults stay as they are when it
        comes back, and a reset leaves snapshots alone.
      </p>
      <form class="sheet padded inline" onSubmit={save}>
        <Field label="Name" hint="Letters, digits, _ - and .">
          <input
            type="text"
            maxLength={64}
            placeholder="before-import"
            value={name}
            onInput={(event) => setName(typed(event))}
          />
        </Field>
        <button type="submit" class="button primary" disabled={name === ''}>
          Save what is now
        </button>
      </form>
      {failure !== null && <Failure>{failure}</Failure>}
      <div class="sheet">
        {names?.length ? (
          <ul class="fault-list" aria-label={countText(names.length, 'snapshot')}>
            {names.map((saved) => (
              <li key={saved}>
                <span class="what">
                  <code>{saved}</code>
                </span>
                <Button
                  label={`Go back to it: ${saved}`}
                  onClick={() => change(() => world.restoreSnapshot(saved), `Back at ${saved}.`)}
                >
                  Go back to it
                </Button>
                <ConfirmButton
                  kind="quiet"
                  confirm="Delete it?"
                  onClick={() => change(() => world.deleteSnapshot(saved), `Deleted ${saved}.`)}
                >
                  Delete
                </ConfirmButton>
              </li>
            ))}
          </ul>
        ) : (
          <Empty title="No snapshot yet">
            <p>
              Bring the mock to where a bug shows, save it under a name, and come back as often as you like.
            </p>
          </Empty>
        )}
      </div>
    </div>
  )
}
