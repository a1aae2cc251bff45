// A value that is written as JSON in its own way.

export class JsonText<T> {
  readonly write: () => string
  /** The type of the value; never set. */
  declare readonly value?: T

  constructor(write: () => string) {
    this.write = write
  }
}
