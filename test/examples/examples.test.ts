// Runs each example as its reader would: in a folder of its own, from the packed package.
import { existsSync } from 'node:fs'
import { inject, test } from 'vitest'
import { Scratch } from '../package/scratch.ts'

const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** What an example says when its tests passed, and what it cannot do without. */
const examples: Record<string, { readonly passed: RegExp; readonly without?: string | false }> = {
  vitest: { passed: /Tests\s+3 passed/ },
  'node-test': { passed: /pass 2/ },
  jest: { passed: /Tests:\s+1 passed/ },
  playwright: { passed: /pass 2/, without: !existsSync(chromium) && `no browser at ${chromium}` },
  jsdom: { passed: /Tests\s+3 passed/ },
  'happy-dom': { passed: /Tests\s+3 passed/ },
  python: { passed: /Ran 3 tests[\s\S]*OK/ },
  curl: { passed: /done: 3000 rows/ },
}

test.concurrent.for(Object.entries(examples))(
  '%s',
  async ([name, { passed, without = false }], { skip, expect }) => {
    if (without !== false) {
      console.warn(`example ${name} was left out: ${without}`)
      skip(without)
    }
    const scratch = new Scratch()
    try {
      scratch.copy(`test/examples/${name}`)
      await scratch.install(inject('tarball'))
      const { code, output } = await scratch.run('npm', 'test')
      expect(output).toMatch(passed)
      expect(code, output).toBe(0)
    } finally {
      scratch.remove()
    }
  },
)
