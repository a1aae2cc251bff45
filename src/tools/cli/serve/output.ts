// The output of `serve`: the greeting, a line for each request and the results of reloads, as text or JSON.
import { internalsOf } from '../../../mock/internals.ts'
import { setImmediate } from 'node:timers/promises'
import manifest from '../../../../package.json' with { type: 'json' }
import { findOperation } from '../../../mock/requests/route.ts'
import type { WorkspaceMock } from '../../../mock.ts'
import type { LoggedRequest } from '../../../adapters/server/respond.ts'
import type { RunningServer } from '../../../adapters/server/serve.ts'
import { targetOf } from '../../../adapters/server/targets.ts'
import { collectGreeting } from '../suggestions.ts'
import { applyStyle, listLines, print } from '../terminal.ts'
import { readReason, formatRequest } from './request-log.ts'

export interface ServeOutput {
  listening(mock: WorkspaceMock, server: RunningServer): void | Promise<void>
  /** `link` returns the address of a failed request in the console; null for other requests. */
  request(request: LoggedRequest, link: () => string | null): void
  reloaded(mock: WorkspaceMock): void
  /** The files are invalid: the former mock stays in use. */
  notReloaded(error: string): void
  closed(): void
}

export const textOutput: ServeOutput = {
  async listening(mock, server) {
    // Lets the server first respond to requests that have waited for the port to open.
    await setImmediate()
    const { keys, calls } = await collectGreeting(mock, server.baseUrl)
    const nameWidth = Math.max(...keys.map(({ key }) => key.length))
    const greeting = [
      '',
      `${applyStyle('bold', 'workspace-api-mock')} ${manifest.version}, fixture ${internalsOf(mock).fixtureName}, ${mock.clock.mode} clock`,
      '',
      `  API      ${applyStyle('cyan', server.baseUrl)}`,
      `  Console  ${applyStyle('cyan', server.consoleUrl)}`,
      ...(keys.length === 0 ? ['', 'The fixture has no keys: every operation responds with 401.'] : []),
      ...listLines(
        'Keys, sent as "Authorization: Bearer KEY":',
        keys.map(
          ({ key, name, note }) => `${key.padEnd(nameWidth)}  ${applyStyle('dim', `${name}: ${note}`)}`,
        ),
      ),
      ...listLines('Try:', calls),
      '',
      '',
    ]
    print(greeting.join('\n'))
  },
  request: (request, link) => print(`${formatRequest(request, link())}\n`),
  reloaded: (mock) => {
    const names = Object.values(mock.keys).join(', ')
    const { fixtureName } = internalsOf(mock)
    print(`${applyStyle('bold', 'started over')}: fixture ${fixtureName}, keys ${names}\n`)
  },
  // The error is printed to stderr.
  notReloaded: () => undefined,
  closed: () => undefined,
}

function printEvent(event: string, facts: object = {}): void {
  print(`${JSON.stringify({ event, ...facts })}\n`)
}

const stateOf = (mock: WorkspaceMock) => ({
  fixture: internalsOf(mock).fixtureName,
  clock: { now: mock.clock.now(), mode: mock.clock.mode },
})

export const jsonOutput: ServeOutput = {
  listening: (mock, { url, baseUrl, controlToken }) => {
    const token = controlToken !== null && { controlToken }
    printEvent('listening', { url, baseUrl, ...stateOf(mock), ...token })
  },
  /** Logs the address as sent, which contains no key. Logs no times, so that logs are reproducible. */
  request: ({ method, url, response, sandbox }) => {
    const [path = '', ...query] = url.split('?')
    const target = targetOf(url)
    const isApi = target.surface === 'api' && !target.isOutside
    printEvent('request', {
      method,
      path,
      query: query.join('?'),
      sandbox,
      operation: isApi ? (findOperation(method, target.path)?.operation.id ?? null) : null,
      status: response?.status ?? null,
      refusal: response?.refusal ?? null,
      ...readReason(response),
    })
  },
  reloaded: (mock) => printEvent('reloaded', stateOf(mock)),
  notReloaded: (error) => printEvent('reload-failed', { error }),
  closed: () => printEvent('closed'),
}
