// Owns the log line of a request: what was asked, what was answered, and why where it was refused.
import type { Answer } from '../http/call.ts'
import type { LoggedRequest } from './listener.ts'
import { printable, styled, type Style } from './terminal.ts'

const urlCharacters = 160
const reasonCharacters = 200

function statusStyle(status: number): Style {
  return status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green'
}

/** The message of an error body, and the hint beside it. */
function reasonOf({ status, body, headers }: Answer): string {
  if (status < 400 || typeof body !== 'string') return ''
  const hint = headers['x-mock-hint']
  const error = errorOf(body)
  return [error, ...(hint === undefined ? [] : [`(${hint})`])].join(' ')
}

function errorOf(body: string): string {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && 'error' in value ? String(value.error) : ''
  } catch {
    return ''
  }
}

/** Whether a request only looked at the mock by its control API: the console does so every second. */
export function isLook({ method, url, answer }: LoggedRequest): boolean {
  return method === 'GET' && url.startsWith('/__mock') && answer !== null && answer.status < 400
}

export function logLine({ method, url, answer }: LoggedRequest): string {
  const request = `${method.padEnd(6)} ${printable(url, urlCharacters)}`
  if (!answer) return `${styled('red', '---')} ${request} ${styled('dim', 'the connection was broken')}`
  const reason = printable(reasonOf(answer), reasonCharacters)
  const status = styled(statusStyle(answer.status), String(answer.status))
  return `${status} ${request}${reason === '' ? '' : ` ${styled('dim', reason)}`}`
}
