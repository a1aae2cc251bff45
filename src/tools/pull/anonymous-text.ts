// Replaces letters and digits in texts, formulas and storage keys with invented ones of the same length and case. The
// same
// original always gets the same replacement.
import { getOrInsert } from '../../contract/data/maps.ts'

/** Loaded on first use: a pull without `anonymize` needs no Node. */
const createHash = (name: string, options?: { readonly outputLength: number }) =>
  process.getBuiltinModule('node:crypto').createHash(name, options)

/** Makes a generator of integers below a bound, seeded with a text that cannot be recovered from them. */
function makeRandom(text: string): (below: number) => number {
  let bytes = createHash('sha512').update(text).digest()
  let at = 0
  return (below) => {
    if (at === bytes.length) [bytes, at] = [createHash('sha512').update(bytes).digest(), 0]
    return bytes.readUInt32LE((at += 4) - 4) % below
  }
}

const alternating = ['bcdfghjklmnpqrstvwxz', 'aeiouy']
/** Words that formulas and listings reserve. */
const reserved = new Set('true false null this page limit pagesize sort select title'.split(' '))
/** Invented texts contain no original word of this length or longer. */
const shortestWord = 5
const mostTries = 400

/** Keeps blanks and punctuation; digits of any script become ASCII digits, other characters become letters. */
const signs = String.raw`\s\p{P}\p{Z}$+<=>^${'`'}|~`
const wordRuns = new RegExp(String.raw`[^${signs}\p{Nd}]+`, 'gu')
const runs = new RegExp(String.raw`\p{Nd}+|[^${signs}\p{Nd}]+`, 'gu')
const isDigit = /\p{Nd}/u
const isSign = new RegExp(`[${signs}]`, 'u')

export class Inventor {
  readonly #seed: string
  /** The beginnings of original words. */
  readonly #beginnings = new Set<string>()
  readonly #made = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** @param seed a secret; without it, nobody can tell which word replaced which */
  constructor(seed: string, texts: Iterable<string>) {
    this.#seed = seed
    for (const text of texts)
      for (const [word] of text.toLowerCase().matchAll(wordRuns))
        if (word.length >= shortestWord) this.#beginnings.add(word.slice(0, shortestWord))
  }

  /** Replaces letters with letters of the same case and digits with digits; keeps punctuation. */
  invent(original: string): string {
    const lower = original.toLowerCase().slice(0, original.length).padEnd(original.length, 'x')
    const made = getOrInsert(this.#made, lower, () => this.#inventNew(lower))
    this.#taken.add(made)
    return made.replace(/[a-z]/g, (letter, at: number) => {
      const was = original[at] ?? ''
      return was === was.toLowerCase() ? letter : letter.toUpperCase()
    })
  }

  /** Lets two originals share a replacement only if no unused one is found. */
  #inventNew(original: string): string {
    for (let attempt = 0; ; attempt += 1) {
      const made = this.#spell(original, makeRandom(`${this.#seed}\n${original}\n${String(attempt)}`))
      const isFree = attempt > mostTries / 2 || !this.#taken.has(made)
      if ((isFree && made !== original && !reserved.has(made)) || attempt >= mostTries) return made
    }
  }

  /** Alternates vowels and consonants, and avoids the beginning of any original word. */
  #spell(original: string, below: (bound: number) => number): string {
    const made: string[] = []
    let latest = ''
    const first = below(alternating.length)
    // Works on code units, which keeps the length of the text.
    for (const unit of original.split(''))
      if (isSign.test(unit)) made.push(unit)
      else if (isDigit.test(unit)) made.push(String(below(10)))
      else {
        const alphabet = alternating[(made.length + first) % alternating.length] ?? ''
        const start = below(alphabet.length)
        const turned = alphabet.slice(start) + alphabet.slice(0, start)
        const isFree = (letter: string) => !this.#beginnings.has(latest + letter)
        const letter = Array.from(turned).find(isFree) ?? turned.charAt(0)
        latest = (latest + letter).slice(1 - shortestWord)
        made.push(letter)
      }
    return made.join('')
  }

  inventBytes(name: string, outputLength: number, isText: boolean): Uint8Array {
    const bytes = createHash('shake256', { outputLength }).update(`${this.#seed}\nfile ${name}`).digest()
    return isText ? bytes.map((byte) => 97 + (byte % 26)) : bytes
  }
}

const isoDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/
const scheme = /^(?:https?:\/\/|ftp:\/\/|mailto:|tel:)/i
/** Words, including the characters that join the parts of an id. */
const tokens = /(?:[^\s\p{P}\p{Z}$+<=>^`|~]|[_-])+/gu
/** A name in braces, a string literal, a number or an identifier. */
const formulaParts =
  /(\{[^{}]*\})|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(\d+(?:\.\d+)?)|(?:[^\s\p{P}\p{Z}$+<=>^`|~]|_)+/gsu
const opensCall = /\s*\(/y
const functions: ReadonlySet<string> = new Set(
  'IF AND OR NOT ROUND FLOOR CEIL ABS SUM MIN MAX AVERAGE COUNT CONCAT LEN LOWER UPPER TRIM TODAY NOW'.split(
    ' ',
  ),
)
const formatParts = /^([^{]*)(\{[^}]*\})(.*)$/s

export class AnonymousText {
  readonly inventor: Inventor
  readonly #ids: ReadonlyMap<string, string>

  constructor(inventor: Inventor, ids: ReadonlyMap<string, string>) {
    this.inventor = inventor
    this.#ids = ids
  }

  id(original: string): string {
    return this.#ids.get(original) ?? this.inventor.invent(original)
  }

  replaceText(original: string): string {
    const id = this.#ids.get(original)
    if (id !== undefined) return id
    if (isoDate.test(original)) return original
    const start = scheme.exec(original)?.[0] ?? ''
    return start + original.slice(start.length).replace(tokens, (token) => this.#anonymizeToken(token))
  }

  #anonymizeToken(token: string): string {
    const id = /[\d_]/.test(token) ? this.#ids.get(token) : undefined
    return id ?? token.replace(runs, (run) => this.inventor.invent(run))
  }

  /** Replaces column names and labels as `replaceText` does; keeps numbers and functions. */
  replaceFormula(expression: string): string {
    return expression.replace(formulaParts, (whole: string, braces, literal, number, at: number) => {
      if (number !== undefined) return whole
      opensCall.lastIndex = at + whole.length
      if (functions.has(whole.toUpperCase()) && opensCall.test(expression)) return whole
      if (braces === undefined && literal === undefined) return this.replaceText(whole)
      const close = /^(?:\{.*\}|".*"|'.*')$/s.test(whole) ? whole.slice(-1) : ''
      const parts = whole.slice(1, whole.length - close.length).split(/(\\[nrt"'\\])/)
      const texts = parts.map((part) => (part.startsWith('\\') ? part : this.replaceText(part)))
      return whole.charAt(0) + texts.join('') + close
    })
  }

  /** Replaces the prefix and suffix of a format; keeps its number of digits. */
  replaceFormat(original: string): string {
    const [, prefix = original, braces = '', suffix = ''] = formatParts.exec(original) ?? []
    return (
      this.replaceText(prefix) + (braces && `{${'0'.repeat(braces.length - 2)}}`) + this.replaceText(suffix)
    )
  }

  /** Keeps the number; replaces prefix and suffix as in the format. */
  replaceAutonumber(format = '', value: string): string {
    const [, prefix = format, , suffix = ''] = formatParts.exec(format) ?? []
    const number = value.slice(prefix.length, value.length - suffix.length)
    const isOfFormat = prefix + number + suffix === value && /^\d*$/.test(number)
    return isOfFormat ? this.replaceText(prefix) + number + this.replaceText(suffix) : this.replaceText(value)
  }

  replaceStorageKey(original: string): string {
    const [, tableId = '', , rowId = '', columnId = '', ...name] = original.split('/')
    return `dt/${this.id(tableId)}/row/${this.id(rowId)}/${this.id(columnId)}/${this.replaceText(name.join('/'))}`
  }
}
