// Shows errors that would otherwise leave a page blank, such as an invalid fixture or a worker that cannot start.
import { messageOf } from '../../contract/text/format.ts'

/** Names of the errors for invalid options, fixtures and answers. */
const ownErrors = new Set(['ControlError', 'FixtureError', 'AnswerError'])

const id = 'workspace-api-mock-error'

export function showError(error: unknown): void {
  document.getElementById(id)?.remove()
  const message = document.createElement('pre')
  message.id = id
  message.setAttribute('role', 'alert')
  message.textContent = `workspace-api-mock: ${messageOf(error)}`
  message.style.cssText =
    'margin:0;padding:16px;white-space:pre-wrap;font:14px/1.5 monospace;color:#7a0000;background:#fff0f0'
  const place = document.querySelector('body') ?? document.documentElement
  place.prepend(message)
}

function showOwn(event: ErrorEvent | PromiseRejectionEvent): void {
  const error: unknown = 'reason' in event ? event.reason : event.error
  if (error instanceof Error && ownErrors.has(error.name)) showError(error)
}

const events = ['error', 'unhandledrejection'] as const

/** Called when the entry is imported: creating the mock can fail before `startWorker` is called. */
export function watchErrors(): void {
  if (typeof document !== 'undefined') for (const name of events) addEventListener(name, showOwn)
}

export function endWatching(): void {
  for (const name of events) removeEventListener(name, showOwn)
}
