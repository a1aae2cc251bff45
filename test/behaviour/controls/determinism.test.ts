// Checks that two mocks return the same bytes for the same script.
import { describe, expect, it } from 'vitest'
import { useMock } from '../support/harness.ts'
import { runScript } from '../support/script.ts'

describe('determinism', () => {
  const runs: { answers: string[]; state: unknown }[] = []

  describe('a first mock', () => {
    const { api, control } = useMock()
    it('mock.state() is the state after a script that a first mock ran', async () => {
      runs.push({ answers: await runScript(api, control), state: await control.state() })
      expect(runs[0]?.answers.length).toBeGreaterThan(50)
    })
  })

  describe('a second mock', () => {
    const { api, control } = useMock()
    it('mock.state() and all responses are the same bytes after the same script in a second mock', async () => {
      // Only the port of the standalone server may differ.
      const neutral = (text: string) => text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '')
      const answers = await runScript(api, control)
      expect(answers.map(neutral)).toEqual(runs[0]?.answers.map(neutral))
      expect(await control.state()).toEqual(runs[0]?.state)
    })
  })
})
