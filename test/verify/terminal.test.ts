// Whether a text of a deployment can control the terminal on which the command line prints.
import { expect, test } from 'vitest'
import { toAsciiJson, toPrintable, toPrintableLines, toPrintableTexts } from '../../src/tools/cli/terminal.ts'

/** Escape sequences with and without ESC, a bell, text that runs backwards, a line separator, a tag, a lone surrogate. */
const hostile = 'a\u001b[2Jb\u009b31mc\u0007\u202ed\u2028e\u{e0041}f\ud800g\rh'

test('printable leaves one line without characters that control a terminal', () => {
  expect(toPrintable(`${hostile}\ni`, 100)).toMatch(/^[a-z0-9?[]+$/i)
  expect(toPrintable('abcdef', 3)).toBe('abc…')
  expect(toPrintable('Grüße, 東京 🙂', 100)).toBe('Grüße, 東京 🙂')
})

test('printableLines and printableTexts keep line ends and nothing else that controls a terminal', () => {
  expect(toPrintableLines(`${hostile}\nnext`).split('\n')).toEqual([toPrintable(hostile, 100), 'next'])
  const made = toPrintableTexts({ [hostile]: [hostile, { deep: `${hostile}\n` }], count: 7, none: null })
  expect(JSON.stringify(made)).not.toMatch(/\\u00|[\u0080-\u009f\u202e\u2028]/)
  expect(made).toMatchObject({ count: 7, none: null })
})

test('asciiJson is the same value, with what is not printable escaped', () => {
  const value = { [hostile]: [hostile, 'Grüße'] }
  expect(JSON.parse(toAsciiJson(value, 2))).toEqual(value)
  expect(toAsciiJson(value, 2)).toContain('Grüße')
  expect(toAsciiJson(value)).not.toMatch(/[\u0000-\u001f\u0080-\u009f\u202e\u2028]/)
})
