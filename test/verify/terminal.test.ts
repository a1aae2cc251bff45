// Checks that text from a deployment cannot control the terminal where the command line prints it.
import { afterEach, expect, test, vi } from 'vitest'
import { print, printError, toShortLine } from '../../src/tools/cli/terminal.ts'

/** Escape sequences with and without ESC, a bell, text that runs backwards, line separators, a carriage return. */
const hostile = 'a\u001b[2Jb\u009b31mc\u0007\u202ed\u2028e\u2029f\u2066g\rh\u0085i'
const moving = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/

afterEach(() => void vi.restoreAllMocks())

test('a short line has no characters that control a terminal', () => {
  expect(toShortLine(`${hostile}\nj\tk`, 200)).not.toMatch(/[\n\t]/)
  expect(toShortLine(hostile, 200)).not.toMatch(moving)
  expect(toShortLine('abcdef', 3)).toBe('abc…')
  expect(toShortLine('Grüße, 東京 🙂', 100)).toBe('Grüße, 東京 🙂')
})

test.each([
  ['stdout', print],
  ['stderr', printError],
] as const)('%s gets line ends, and nothing else that controls a terminal', (stream, write) => {
  let printed = ''
  vi.spyOn(process[stream], 'write').mockImplementation((text) => Boolean((printed += String(text))))
  write(`${hostile}\nGrüße\t🙂\n`)
  expect(printed).not.toMatch(moving)
  expect(printed.split('\n').slice(1)).toEqual(['Grüße\t🙂', ''])
})

test('printed JSON is the same value', () => {
  const value = { [hostile]: [hostile, 'Grüße'] }
  let printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((printed += String(text))))
  print(JSON.stringify(value, null, 2))
  expect(JSON.parse(printed)).toEqual(value)
  expect(printed).not.toMatch(moving)
})
