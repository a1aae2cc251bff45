// Writes JSON for values that provide their own JSON, and for values that exceed the longest possible string.

export class JsonText<T> {
  readonly write: () => string
  /** The records of the page, in order. */
  readonly records: readonly { readonly id: string }[]
  /** The type of the value; never set. */
  declare readonly value?: T

  constructor(write: () => string, records: JsonText<T>['records'] = []) {
    this.write = write
    this.records = records
  }
}

/** Yields the JSON of a value in pieces. */
export function* splitJson(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null'
    return
  }
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  let mark = open
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue
    yield isList ? mark : `${mark}${JSON.stringify(name)}:`
    yield* splitJson(inner)
    mark = ','
  }
  yield mark === open ? open + close : close
}
