// Whole numbers in requests: page numbers, page sizes and the like.
import { ApiError } from '../errors.ts'
import type { IntegerParameter } from '../operation.ts'
import type { Answers } from '../questions/register.ts'
import { quote } from '../text/quote.ts'

/**
 * Reads an integer in range; anything else follows question `limitAboveMax`.
 * @param reportWrong called for a value the contract does not allow
 */
export function readInteger(
  answers: Answers,
  name: string,
  parameter: IntegerParameter,
  received: unknown,
  reportWrong: () => void,
): number | undefined {
  const value = typeof received === 'string' && /^-?\d+$/.test(received) ? Number(received) : received
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = parameter
  if (Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum)
    return Number(value)
  const isAbove =
    typeof value === 'number' && value > maximum && (Number.isInteger(value) || value === Infinity)
  // A page number beyond the safe integers is past the last page; a moment beyond them is invalid.
  const isPastLast = isAbove && parameter.default !== undefined
  if (!isPastLast || parameter.maximum !== undefined) reportWrong()
  if (answers.limitAboveMax === 'reject') {
    const upTo = parameter.maximum === undefined ? '' : ` and at most ${String(parameter.maximum)}`
    throw new ApiError(
      'validation',
      `${name} must be an integer of at least ${String(minimum)}${upTo}; received ${quote(received)}`,
      { reported: true },
    )
  }
  return isPastLast ? maximum : parameter.default
}
