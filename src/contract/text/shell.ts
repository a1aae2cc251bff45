// Texts as words of a POSIX shell.

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** A text as a word, in quotes only where it needs them. */
export const shellWord = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : shellQuoted(text))
