// Parses numbers as people and tools write them, with signs, thousands separators, decimal commas and currencies.
import { Refusal } from './refusal.ts'

type DecimalSign = '.' | ','

/** Digits, plain or in groups of three, then decimals, then an exponent. */
const shape =
  /^([+-]?)(?:([1-9]\d{0,2}(?:([.,'’ \u00A0\u202F])\d{3})(?:\3\d{3})*)|(\d*))(?:([.,])(\d*))?(e[+-]?\d+)?$/i

/** True if the only separator precedes three digits, so it could start decimals or group thousands. */
const isAmbiguous = (text: string) => /^[+-]?[1-9]\d{0,2}[.,]\d{3}(?:e[+-]?\d+)?$/i.test(text)

interface Parts {
  readonly sign: string
  readonly whole: string
  /** The thousands separator. */
  readonly group: string | undefined
  readonly decimalSign: DecimalSign | undefined
  readonly decimals: string
  readonly exponent: string
}

function readParts(text: string): Parts | undefined {
  const match = shape.exec(text)
  if (!match) return undefined
  const [, sign = '', grouped, group, plain = '', decimalSign, decimals = '', exponent = ''] = match
  const whole = grouped?.replaceAll(/\D/g, '') ?? plain
  if ((whole === '' && decimals === '') || (group !== undefined && group === decimalSign)) return undefined
  return { sign, whole, group, decimalSign: decimalSign as DecimalSign | undefined, decimals, exponent }
}

const currency = String.raw`(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3}|kr\.?|zł|Kč|Ft|Fr\.?)`
const currencyBefore = new RegExp(String.raw`^([+-]?)\s*${currency}\s*([+-]?)\s*(?=[\d.,])`, 'u')
const currencyAfter = new RegExp(String.raw`(?<=[\d.,])\s*${currency}$`, 'u')

/** Normalizes minus signs and accounting parentheses, and strips the currency when allowed. */
function normalize(text: string, isCurrency: boolean): string {
  let rest = text.trim().replaceAll('\u2212', '-')
  const [, inner] = /^\((.+)\)$/.exec(rest) ?? []
  if (inner !== undefined) rest = inner.trim()
  if (isCurrency) rest = rest.replace(currencyBefore, '$1$2').replace(currencyAfter, '')
  if (inner === undefined) return rest
  return /^[+-]/.test(rest) ? text : `-${rest}`
}

/** The decimal sign of a number that can be read in only one way. */
function decimalSignOf(text: string): DecimalSign | undefined {
  if (/^-?\d+$/.test(text) || isAmbiguous(text)) return undefined
  const { decimalSign, group } = readParts(text) ?? {}
  if (decimalSign) return decimalSign
  return group === ',' ? '.' : group === '.' ? ',' : undefined
}

/**
 * A file's decimal sign: the usual one for its field separator, or the one that its numbers use. Undefined if these
 * disagree, or if neither is known.
 */
export function findDecimalSign(
  separator: string,
  texts: Iterable<readonly [text: string, isCurrency: boolean]>,
): DecimalSign | undefined {
  const shown = new Set<DecimalSign>()
  for (const [text, isCurrency] of texts) {
    const sign = decimalSignOf(/^-?\d*\.?\d+$/.test(text) ? text : normalize(text, isCurrency))
    if (sign) shown.add(sign)
  }
  const usual = { ',': '.', ';': ',' } as const
  const byDefault = usual[separator as keyof typeof usual]
  if (byDefault) shown.add(byDefault)
  const [only] = shown
  return shown.size === 1 ? only : undefined
}

const rule = 'must be a finite number'

/** Parses a non-empty text. */
export function readNumber(
  given: string,
  decimal: DecimalSign | undefined,
  isCurrency: boolean,
): number | Refusal {
  const text = normalize(given, isCurrency)
  if (isAmbiguous(text) && (decimal === undefined || (decimal === ',' && text.includes('.')))) {
    const [whole = '', end = ''] = text.split(/[.,]/)
    const asDecimal = decimal === ',' ? `${whole},${end}` : `${whole}.${end}0`
    return new Refusal(
      'must be unambiguous',
      `, which could mean two numbers: write ${asDecimal} or ${whole}${end}`,
    )
  }
  const parts = readParts(text)
  if (!parts) return new Refusal(rule, text.includes('%') ? ': write 0.5 or 50 for 50%' : '')
  const { sign, whole, group, decimalSign, decimals, exponent } = parts
  // In an ambiguous number, the file's decimal sign starts the decimals.
  const isDecimal = isAmbiguous(text) && group === decimal
  const digits = isDecimal ? text.slice(sign.length).replace(',', '.') : undefined
  const plain = digits ?? `${whole || '0'}${decimalSign ? `.${decimals || '0'}` : ''}${exponent}`
  // Adding 0 avoids -0, which JSON does not keep.
  const number = Number(sign === '-' ? `-${plain}` : plain) + 0
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER)
    return new Refusal(`${rule} up to ${String(Number.MAX_SAFE_INTEGER)}`, ': larger numbers lose digits')
  return number
}
