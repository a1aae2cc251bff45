// A response as tests see it: parts of its JSON by path, with the type that the test expects.

export class Reply {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array

  constructor(status: number, headers: Headers, bytes: Uint8Array) {
    this.status = status
    this.headers = headers
    this.bytes = bytes
  }

  get text(): string {
    return new TextDecoder().decode(this.bytes)
  }

  get json(): unknown {
    return JSON.parse(this.text)
  }

  /** The value in the JSON at a path such as `rows.0.data.col_text`; undefined if there is none. */
  at(path: string): unknown {
    return partOf(this.json, path)
  }

  string(path: string): string {
    const part = this.at(path)
    if (typeof part !== 'string') throw this.#unexpected(path, 'a string')
    return part
  }

  number(path: string): number {
    const part = this.at(path)
    if (typeof part !== 'number') throw this.#unexpected(path, 'a number')
    return part
  }

  list(path: string): unknown[] {
    const part = this.at(path)
    if (!Array.isArray(part)) throw this.#unexpected(path, 'an array')
    return part
  }

  /** The value at `itemPath` in every item of the list at `path`. */
  pluck(path: string, itemPath: string): unknown[] {
    return this.list(path).map((item) => partOf(item, itemPath))
  }

  /** The message in an error response. */
  get error(): string {
    return this.string('error')
  }

  #unexpected(path: string, wanted: string): Error {
    return new Error(
      `expected ${wanted} at ${path} of the ${String(this.status)} answer ${this.text.slice(0, 500)}`,
    )
  }
}

function partOf(value: unknown, path: string): unknown {
  let part = value
  for (const name of path.split('.')) {
    if (typeof part !== 'object' || part === null) return undefined
    part = (part as Record<string, unknown>)[name]
  }
  return part
}
