// A cell value that cannot be read.

/** Says why a cell is refused. */
export class Refusal {
  /** Follows the column name: `must be …`. Cells with the same rule are reported together. */
  readonly rule: string
  /** Follows the value received: how to fix it. */
  readonly hint: string
  /** The wrong part of the cell; undefined for the whole cell. */
  readonly part: string | undefined

  constructor(rule: string, hint = '', part?: string) {
    this.rule = rule
    this.hint = hint
    this.part = part
  }
}
