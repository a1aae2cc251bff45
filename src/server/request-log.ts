// The log line of a request: method, address, status, and the message of an error.
import type { Answer } from '../core/call.ts'
import type { LoggedRequest } from './listener.ts'
import { printable, styled, type Style } from '../cli/terminal.ts'

const urlCharacters = 160
const reasonCharacters = 200

function statusStyle(status: number): Style {
  return status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
}

/** The message and the hint of an error response; null if absent. */
export function reasonOf(answer: Answer | null): { error: string | null; hint: string | null } {
  if (!answer || answer.status < 400) return { error: null, hint: null }
  return { error: errorOf(answer.body), hint: answer.headers['x-mock-hint'] ?? null }
}

function errorOf(body: Answer['body']): string | null {
  if (typeof body !== 'string') return null
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && 'error' in value ? String(value.error) : null
  } catch {
    return null
  }
}

/** Whether a request only read the mock through its control API, as the console does every second. */
export function isLook({ method, url, answer }: LoggedRequest): boolean {
  return method === 'GET' && url.startsWith('/__mock') && answer !== null && answer.status < 400
}

export function logLine({ method, url, answer }: LoggedRequest): string {
  const request = `${method.padEnd(6)} ${printable(url, urlCharacters)}`
  if (!answer) return `${styled('red', '---')} ${request} ${styled('dim', 'the connection was broken')}`
  const { error, hint } = reasonOf(answer)
  const reason = printable([error ?? '', ...(hint === null ? [] : [`(${hint})`])].join(' '), reasonCharacters)
  const status = styled(statusStyle(answer.status), String(answer.status))
  return `${status} ${request}${reason === '' ? '' : ` ${styled('dim', reason)}`}`
}
