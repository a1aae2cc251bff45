// What a journey receives and returns, the same for every generated client.

export interface Start {
  readonly baseUrl: string
  readonly key: string
  readonly fetch: (request: Request) => Promise<Response>
}

export interface Trail {
  readonly plan: string
  readonly columnTypes: readonly string[]
  /** Rows in a page, and in the whole table. */
  readonly page: readonly [number, number]
  /** How many rows have the name of the first, by a filter on its column. */
  readonly namesakes: number
  /** Version of a row after it was created and after it was changed. */
  readonly versions: readonly [number, number]
  /** How many rows a query finds for the changed row's name. */
  readonly found: number
  /** The states in which a job was seen, ending with the last, and how many rows went in. */
  readonly job: { readonly states: readonly string[]; readonly rows: number }
  readonly files: readonly string[]
  /** What a download gives back. */
  readonly text: string
  readonly comments: readonly unknown[]
  readonly seconds: number
  readonly submissions: number
  /** Status and message of reading what is not there. */
  readonly absent: { readonly status: number; readonly error: string }
}

export const note = 'Agreed on Thursday.\n'
export const rename = 'Renamed on the way'

export interface Named {
  readonly name: string
  readonly type: string
  readonly id: string
}

/** The first column of a type, by whose name rows are filtered. */
export function columnOf<Column extends Named>(columns: readonly Column[], type: string): Column {
  const column = columns.find((candidate) => candidate.type === type)
  if (!column) throw new Error(`the table has no column of type ${type}`)
  return column
}

/** What must be there, or the journey ends. */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} is missing`)
  return value
}
