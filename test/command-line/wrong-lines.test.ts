// What a command says when it fails: invalid command lines, and text that could control the terminal.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directory, failed, fileOf, run } from './support/command-line.ts'

describe('a command line that is wrong', () => {
  it.each([
    ['an invalid port', ['serve', '--port', 'many'], 'many'],
    ['an unknown plan', ['serve', '--plan', 'gold'], 'gold'],
    ['an unknown flag', ['serve', '--fixtures', 'demo'], '--fixtures'],
    ['an unknown command', ['sevre'], 'sevre'],
    ['an argument too many', ['questions', 'rowShape'], 'too many arguments'],
    ['no command', [], 'Usage'],
    [
      'nothing to watch',
      ['serve', '--watch', '--fixture', 'empty'],
      '--fixture FILE, --rows TABLE=FILE or --answers FILE',
    ],
    ['no deployment to judge', ['verify'], '--base-url'],
    ['a port beyond the last', ['serve', '--port', '65536'], "argument '65536' is invalid"],
    ['an allowed host with a port', ['serve', '--allow-host', 'mock:80'], 'without a port'],
    ['an empty allowed host between commas', ['serve', '--allow-host', 'a,,b'], '--allow-host <name>'],
    ['an answers file without a name', ['serve', '--answers', ''], '--answers <file>'],
    ['a coverage file without a name', ['serve', '--coverage', ''], '--coverage <file>'],
    ['an output file without a name', ['openapi', '--out', ''], '--out <file>'],
    ['a baseline without a name', ['verify', '--baseline', ''], '--baseline <file>'],
    ['a folder without a name', ['init', ''], "argument 'folder'"],
    [
      'no runs at all',
      ['explore', '--max-runs', '0', '--', 'true'],
      'It must be an integer from 1 to 999999999.',
    ],
    ['a unit of time in capitals', ['wait', '--timeout', '1M'], 'a length of time such as 30s, 500ms or 2m'],
    ['a size without end', ['pull', '--response-bytes', '9'.repeat(400)], 'a number of bytes such as 100MB'],
    ['a share above one', ['verify', '--max-inconclusive', '101%'], 'a number from 0 to 1'],
    ['an empty share', ['verify', '--max-inconclusive', ''], 'a number from 0 to 1'],
  ])('ends with 2 and names the fault for %s', async (_what, flags, cause) => {
    expect(await failed(2, ...flags)).toContain(cause)
  })
})

describe('what a terminal gets', () => {
  const hostile = 'n\u009b2J\u202e\u001b[2J\u2028e'
  const moving = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]/

  it.each([
    ['a fixture that is not there', ['serve', '--fixture', `${hostile}.json`]],
    ['answers that are not JSON', ['serve', '--answers', fileOf(`${hostile}.json`, '{oops')]],
    ['a recording that is not JSON', ['pull', '--har', fileOf(`${hostile}.har`, '{oops')]],
    ['an unknown option', ['serve', `--${hostile}`]],
    ['an unknown command', [hostile]],
    ['a wrong value', ['serve', '--port', hostile]],
    ['a file that cannot be written', ['openapi', '--out', join(directory, hostile, 'x.json')]],
  ])('escapes what moves it in the error for %s', async (_, flags) => {
    const process = run(...flags)
    expect(await process.ended).toBeGreaterThan(0)
    expect(process.err).toContain('n\\u009b2J\\u202e\\u001b[2J\\u2028e')
    expect(process.err).not.toMatch(moving)
  })
})
