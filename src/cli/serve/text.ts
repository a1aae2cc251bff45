// Output of `serve` as text: the greeting, a line for each request, and the results of reloads.
import { setImmediate } from 'node:timers/promises'
import manifest from '../../../package.json' with { type: 'json' }
import type { WorkspaceMock } from '../../mock.ts'
import { logLine } from './request-log.ts'
import type { ServeOutput } from './output.ts'
import type { RunningServer } from '../../server/serve.ts'
import { greetingFacts } from '../suggestions.ts'
import { listLines, styled } from '../terminal.ts'

async function greeting(mock: WorkspaceMock, server: RunningServer): Promise<string> {
  const { keys, calls } = await greetingFacts(mock, server.baseUrl)
  const nameWidth = Math.max(...keys.map(({ key }) => key.length))
  return [
    '',
    `${styled('bold', 'workspace-api-mock')} ${manifest.version}, fixture ${mock.fixtureName}, ${mock.clock.mode} clock`,
    '',
    `  API      ${styled('cyan', server.baseUrl)}`,
    `  Console  ${styled('cyan', server.consoleUrl)}`,
    ...(keys.length === 0 ? ['', 'The fixture has no keys: every operation responds with 401.'] : []),
    ...listLines(
      'Keys, sent as "Authorization: Bearer KEY":',
      keys.map(({ key, name, note }) => `${key.padEnd(nameWidth)}  ${styled('dim', `${name}: ${note}`)}`),
    ),
    ...listLines('Try:', calls),
    '',
    '',
  ].join('\n')
}

export const textOutput: ServeOutput = {
  async listening(mock, server) {
    // Responds first to requests that have waited for the port to open.
    await setImmediate()
    process.stdout.write(await greeting(mock, server))
  },
  request: (request, link) => void process.stdout.write(`${logLine(request, link())}\n`),
  reloaded: ({ fixtureName, keys }) => {
    const names = Object.values(keys).join(', ')
    process.stdout.write(`${styled('bold', 'started over')}: fixture ${fixtureName}, keys ${names}\n`)
  },
  // Printed to stderr.
  notReloaded: () => undefined,
  closed: () => undefined,
}
