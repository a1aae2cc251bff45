// Lines above the views: the mock does not respond, refuses access without its token, or its page has something to report.
import { useEffect, useState } from 'preact/hooks'
import { useConsole } from './context.ts'
import { Button } from './controls.tsx'
import { Field, Form, Input } from './fields.tsx'

function TokenForm({ failure }: { failure: string | null }) {
  const { source } = useConsole()
  const [token, setToken] = useState('')
  return (
    <section class="sheet padded token" aria-label="Token">
      <h2>This mock needs its control token</h2>
      <p>
        <code>serve</code> printed it with the address of the console, or was given it as{' '}
        <code>--control-token</code>.
      </p>
      <Form class="inline" run={() => source.setToken?.(token.trim())}>
        <Field label="Control token">
          <Input type="password" autocomplete="off" value={token} set={setToken} />
        </Field>
        <Button kind="primary" disabled={token.trim() === ''} text="Connect" />
      </Form>
      <p class="aside" role="alert">
        {failure}
      </p>
    </section>
  )
}

function useNotices(): readonly string[] {
  const { notices } = useConsole().source
  const [all, setAll] = useState(notices?.all ?? [])
  useEffect(() => notices?.watch(() => setAll(notices.all)), [notices])
  return all
}

export function Banner() {
  const { live, source } = useConsole()
  const { status, failure } = live
  const notices = useNotices()
  return (
    <>
      {notices.map((text) => (
        <p class="notice" role="status" key={text}>
          {text.charAt(0).toUpperCase() + text.slice(1)}.
        </p>
      ))}
      {status === 'lost' && (
        <p class="lost" role="alert">
          The mock does not respond: {failure}. Retrying every second.
        </p>
      )}
      {status === 'forbidden' && source.setToken && <TokenForm failure={failure} />}
    </>
  )
}
