// The hand-written tables of the pages: each option, member and route of the control API has its line.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createWorkspaceMock } from 'workspace-api-mock'
import type { StartWorkerOptions } from 'workspace-api-mock/browser'
import { allRoutes } from '../../src/adapters/server/control-routes.ts'
import { faultSpecSchema } from '../../src/mock/faults/fault-spec.ts'
import { Options } from '../../src/mock-options.ts'

const reference = readFileSync('src/mock/README.md', 'utf8')

/** The names in the first column of the table with this header, without methods' parameters. */
function namesIn(page: string, head: string): string[] {
  const [, table = ''] = page.split(`\n| ${head} |`)
  const [rows = ''] = table.split('\n\n')
  return [...rows.matchAll(/^\| `(\w+)/gm)].map(([, name = '']) => name)
}

test('the page of the mock has a line for each option, member and field of a fault', () => {
  expect(namesIn(reference, 'option').sort()).toEqual(Object.keys(Options.def.getter().shape).sort())
  expect(namesIn(reference, '`mock.`').sort()).toEqual(Object.keys(createWorkspaceMock()).sort())
  const fields = Object.keys(faultSpecSchema.def.getter().shape)
  expect(namesIn(reference, 'field of `mock.fault`').sort()).toEqual(fields.sort())
})

test('the page of the browser has a line for each option of startWorker', () => {
  const options: Record<keyof Required<StartWorkerOptions>, true> = {
    quiet: true,
    onUnhandledRequest: true,
    persist: true,
    serviceWorker: true,
    handlers: true,
  }
  const page = readFileSync('src/adapters/browser/README.md', 'utf8')
  expect(namesIn(page, 'option of `startWorker`').sort()).toEqual(Object.keys(options).sort())
})

/** A route's input as the pages write it: `{ms?, by?}`, `?operation=`, or a description of the whole body. */
function inputOf({ args, route }: (typeof allRoutes)[number]): string {
  const fields = args.flatMap((arg) => {
    if (typeof arg === 'string') return [arg]
    return 'body' in arg ? [] : arg.map((name) => `${name}?`)
  })
  const shown = fields.filter((name) => !route.includes(`{${name}}`))
  const whole = args.flatMap((arg) => (typeof arg === 'object' && 'body' in arg ? [arg.body] : []))
  if (shown.length === 0) return whole.join('')
  if (!/^(?:GET|DELETE) /.test(route)) return `\`{${shown.join(', ')}}\``
  return `\`?${shown.map((name) => name.replace(/\??$/, '=')).join('&')}\``
}

test.for(allRoutes)(
  'the page of the mock has the route $route of $names, with what it takes and what wraps its response',
  (route) => {
    const flag = route.flag === undefined ? '' : `?${route.flag}=true`
    const address = `\`${route.route.replace(' ', ' /__mock')}${flag}\``
    const [line] = reference.split(/\n|<br>/).filter((each) => each.includes(address))
    expect(line, `a line with ${address}`).toBeDefined()
    // Routes for consoles are listed without their input.
    if (line!.startsWith('For consoles: ')) return
    const wrapper = route.under === undefined ? '' : `→ \`{${route.under}}\``
    expect(line!.slice(line!.indexOf(address))).toContain(inputOf(route))
    expect(line!.slice(line!.indexOf(address))).toContain(wrapper)
  },
)
