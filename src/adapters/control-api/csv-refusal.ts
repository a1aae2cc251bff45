// What is wrong with the value of a cell.

/** Why a cell is refused. */
export class Refusal {
  /** Continues the name of the column: `must be …`; equal for cells that are wrong in the same way. */
  readonly rule: string
  /** Continues the value received, with what to do. */
  readonly hint: string
  /** The part of the cell that is wrong; undefined for all of it. */
  readonly part: string | undefined

  constructor(rule: string, hint = '', part?: string) {
    this.rule = rule
    this.hint = hint
    this.part = part
  }
}
