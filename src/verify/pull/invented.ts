// Invented letters and digits in the place of real ones: of the same length and case, each original always by the same.

/** Four 32-bit hashes of a text (cyrb128). */
function hashes(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    a = b ^ Math.imul(a ^ code, 597399067)
    b = c ^ Math.imul(b ^ code, 2869860233)
    c = d ^ Math.imul(c ^ code, 951274213)
    d = a ^ Math.imul(d ^ code, 2716044179)
  }
  return [a, b, c, d]
}

/** Integers below a bound that follow from a text alone (sfc32). */
export function integersFrom(text: string): (below: number) => number {
  let [a, b, c, d] = hashes(text)
  const next = () => {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let turn = 0; turn < 12; turn += 1) next()
  return (below) => next() % below
}

const alternating = ['bcdfghjklmnpqrstvwxz', 'aeiouy']
/** Names that mean something to formulas and listings. */
const reserved = new Set('true false null this page limit pagesize sort select title'.split(' '))
/** Original words from this length on stand nowhere in what is invented. */
const shortestWord = 5
const mostTries = 400

/** What stays: blanks, punctuation, and the signs of ASCII; digits of any script become digits, all else letters. */
const signs = String.raw`\s\p{P}\p{Z}$+<=>^${'`'}|~`
const wordRuns = new RegExp(String.raw`[^${signs}\p{Nd}]+`, 'gu')
export const runs = new RegExp(String.raw`\p{Nd}+|[^${signs}\p{Nd}]+`, 'gu')
const isDigit = /\p{Nd}/u
const isSign = new RegExp(`[${signs}]`, 'u')

export class Inventor {
  readonly #seed: string
  /** The beginnings of the original words. */
  readonly #beginnings = new Set<string>()
  readonly #made = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** @param seed makes what is invented its own: without it nobody can try which word gives which */
  constructor(seed: string, texts: Iterable<string>) {
    this.#seed = seed
    for (const text of texts)
      for (const [word] of text.toLowerCase().matchAll(wordRuns))
        if (word.length >= shortestWord) this.#beginnings.add(word.slice(0, shortestWord))
  }

  /** Letters for letters, in upper case where the original is; digits for digits; signs stay. */
  invent(original: string): string {
    const lower = original.toLowerCase().slice(0, original.length).padEnd(original.length, 'x')
    let made = this.#made.get(lower)
    if (made === undefined) {
      made = this.#inventNew(lower)
      this.#taken.add(made)
      this.#made.set(lower, made)
    }
    return made.replace(/[a-z]/g, (letter, at: number) => {
      const was = original[at] ?? ''
      return was === was.toLowerCase() ? letter : letter.toUpperCase()
    })
  }

  /** As long as there are enough of them, each original gets its own. */
  #inventNew(original: string): string {
    for (let attempt = 0; ; attempt += 1) {
      const made = this.#spell(original, integersFrom(`${this.#seed}\n${original}\n${String(attempt)}`))
      const isFree = attempt > mostTries / 2 || !this.#taken.has(made)
      if ((isFree && made !== original && !reserved.has(made)) || attempt >= mostTries) return made
    }
  }

  /** Letters from the alphabets in turn, of which no five are the beginning of an original word. */
  #spell(original: string, below: (bound: number) => number): string {
    const made: string[] = []
    let latest = ''
    const first = below(alternating.length)
    // By code units, so that the length stays.
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

  /** Bytes of a file: letters where it holds text. */
  bytes(name: string, size: number, isText: boolean): Uint8Array {
    const below = integersFrom(`${this.#seed}\nfile ${name}`)
    return Uint8Array.from({ length: size }, () => (isText ? 97 + below(26) : below(256)))
  }
}
