// Owns the tag that marks style sheets, so that editors and the formatter know them.

/** The text as it stands. */
export const css = String.raw
