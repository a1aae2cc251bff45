// Checks shared by several kinds of resources: names and colours, and the messages of their errors.
import { isColor } from '../values/colors.ts'
import { ApiError } from '../errors.ts'
import type { Answers } from '../questions/register.ts'
import { quote } from '../values/quote.ts'

/** More values than these are not spelled out in a message. */
const shownValues = 12

/** The allowed values in brackets, where they are few enough to be read; otherwise nothing. */
export function among(values: readonly string[]): string {
  return values.length > 0 && values.length <= shownValues ? ` (${values.join(', ')})` : ''
}

/** A refusal with 400 of what `field` holds; `allowed` goes on from `must be`. */
export function mustBe(field: string, allowed: string, value: unknown): ApiError {
  return new ApiError('validation', `${field} must be ${allowed}; received ${quote(value)}`)
}

/**
 * Refuses an empty or blank name, title or text; an absent one passes. Assumption: emptyNames
 * @throws {ApiError} validation
 */
export function assertNotBlank(answers: Answers, field: string, value: string | undefined): void {
  if (value === undefined || value.trim() !== '' || answers.emptyNames === 'accept') return
  throw mustBe(field, 'a text that is not blank', value)
}

/**
 * Refuses a text that is no colour; none at all passes. Assumption: colors
 * @throws {ApiError} validation
 */
export function assertColor(field: string, value: string | null | undefined): void {
  if (typeof value !== 'string' || isColor(value)) return
  throw mustBe(field, 'a hex colour such as #08f or #0088ff', value)
}
