// Invented words, numbers and ids in the place of real ones: of the same length and kind, each original always by the same.

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
function integersFrom(text: string): (below: number) => number {
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

const consonants = 'bcdfghjklmnpqrstvwxz'
const vowels = 'aeiouy'
const letters = 'abcdefghijklmnopqrstuvwxyz'
/** Names that mean something to formulas and listings. */
const reserved = ['true', 'false', 'null', 'this', 'page', 'limit', 'pagesize', 'sort', 'select', 'title']
/** Original words from this length on stand nowhere in what is invented. */
const shortestWord = 5
const mostTries = 400

const letterRuns = /[\p{L}\p{M}]+/gu

export class Inventor {
  readonly #seed: string
  readonly #originals = new Set(reserved)
  readonly #made = new Map<string, string>()
  readonly #taken = new Set<string>()

  /** @param seed makes what is invented its own: without it nobody can try which word gives which */
  constructor(seed: string, texts: Iterable<string>) {
    this.#seed = seed
    for (const text of texts)
      for (const [word] of text.toLowerCase().matchAll(letterRuns))
        if (word.length >= shortestWord) this.#originals.add(word)
  }

  #hasOriginal(text: string): boolean {
    if (this.#originals.has(text)) return true
    for (const [run] of text.toLowerCase().matchAll(letterRuns))
      for (let from = 0; from + shortestWord <= run.length; from += 1)
        for (let to = from + shortestWord; to <= run.length; to += 1)
          if (this.#originals.has(run.slice(from, to))) return true
    return false
  }

  /** What is invented for an original of a kind: another, and as long as there are enough of them its own. */
  #invented(kind: string, original: string, make: (below: (bound: number) => number) => string): string {
    const name = `${kind} ${original}`
    const known = this.#made.get(name)
    if (known !== undefined) return known
    let made = ''
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      made = make(integersFrom(`${this.#seed}\n${name}\n${String(attempt)}`))
      const isFree = attempt > mostTries / 2 || !this.#taken.has(`${kind} ${made}`)
      if (isFree && made !== original && !this.#hasOriginal(made)) break
    }
    this.#taken.add(`${kind} ${made}`)
    this.#made.set(name, made)
    return made
  }

  /** A run of letters, upper case where it was. */
  word(original: string): string {
    const lower = original.toLowerCase().slice(0, original.length).padEnd(original.length, 'x')
    const made = this.#invented('word', lower, (below) => {
      const first = below(2)
      return Array.from({ length: original.length }, (_, at) => {
        const from = (at + first) % 2 === 0 ? consonants : vowels
        return from.charAt(below(from.length))
      }).join('')
    })
    return made.replace(/./g, (letter, at: number) => {
      const was = original[at] ?? ''
      return was === was.toLowerCase() ? letter : letter.toUpperCase()
    })
  }

  digits(original: string): string {
    return this.#invented('digits', original, (below) => original.replace(/\d/g, () => String(below(10))))
  }

  /** Letters for letters, digits for digits; all else stays. */
  id(original: string): string {
    return this.#invented('id', original, (below) =>
      original.replace(/\d|[\p{L}\p{M}]/gu, (character) => {
        if (/\d/.test(character)) return String(below(10))
        const letter = letters[below(letters.length)] ?? 'x'
        return (character === character.toLowerCase() ? letter : letter.toUpperCase()).padEnd(
          character.length,
          'x',
        )
      }),
    )
  }

  /** Bytes of a file: letters where it holds text. */
  bytes(name: string, size: number, isText: boolean): Uint8Array {
    const below = integersFrom(`${this.#seed}\nfile ${name}`)
    return Uint8Array.from({ length: size }, () => (isText ? 97 + below(26) : below(256)))
  }
}
