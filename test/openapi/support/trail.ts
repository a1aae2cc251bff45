// What a journey receives and returns, the same for every generated client.

export interface Start {
  readonly baseUrl: string
  readonly key: string
  readonly fetch: (request: Request) => Promise<Response>
}

export interface Trail {
  readonly plan: string
  readonly columnTypes: readonly string[]
  /** Number of rows in a page, and in the whole table. */
  readonly page: readonly [number, number]
  /** Number of rows that share the first row's name, found by a column filter. */
  readonly namesakes: number
  /** A row's version after it was created and after it was changed. */
  readonly versions: readonly [number, number]
  /** Number of rows that a query finds by the changed row's name. */
  readonly found: number
  /** The states in which a job was seen, latest last, and the number of rows inserted. */
  readonly job: { readonly states: readonly string[]; readonly rows: number }
  readonly files: readonly string[]
  /** What a download returns. */
  readonly text: string
  readonly comments: readonly unknown[]
  readonly seconds: number
  readonly submissions: number
  /** Status and message when reading what does not exist. */
  readonly absent: { readonly status: number; readonly error: string }
}

export const note = 'Agreed on Thursday.\n'
export const rename = 'Renamed on the way'

export interface Named {
  readonly name: string
  readonly type: string
  readonly id: string
}

/** The first column of a type; rows are filtered by its name. */
export function columnOf<Column extends Named>(columns: readonly Column[], type: string): Column {
  const column = columns.find((candidate) => candidate.type === type)
  if (!column) throw new Error(`the table has no column of type ${type}`)
  return column
}

/** Asserts that a value exists; otherwise the journey ends. */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} is missing`)
  return value
}
