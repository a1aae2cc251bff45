// A value that writes itself as JSON.

export class JsonText<T> {
  readonly write: () => string
  /** The type of the value; never set. */
  declare readonly value?: T

  constructor(write: () => string) {
    this.write = write
  }
}
