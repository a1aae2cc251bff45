// Checks that several resources share, and the messages of their errors.
import { ApiError } from '../errors.ts'
import type { Answers } from '../questions/register.ts'
import { quote } from '../text/quote.ts'

/** The allowed values in parentheses if there are few; otherwise an empty string. */
export function toAllowedNote(values: readonly string[]): string {
  return values.length > 0 && values.length <= 12 ? ` (${values.join(', ')})` : ''
}

/** The error for a wrong value of `field`. `allowed` completes the phrase `must be`. */
export function toValueError(field: string, allowed: string, value: unknown): ApiError {
  return new ApiError('validation', `${field} must be ${allowed}; received ${quote(value)}`, { field })
}

/**
 * Rejects an empty or blank name, title or text; undefined is allowed. Assumption: emptyNames
 * @throws {ApiError} validation
 */
export function assertNotBlank(answers: Answers, field: string, value: string | undefined): void {
  if (value === undefined || value.trim() !== '' || answers.emptyNames === 'accept') return
  throw toValueError(field, 'a string that is not blank', value)
}
