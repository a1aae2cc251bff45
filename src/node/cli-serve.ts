// Owns the command that serves a mock until it is told to end.
import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { AnswerError } from '../contract/questions.ts'
import type { Plan } from '../contract/identity.ts'
import { quote } from '../contract/quote.ts'
import { FixtureError, type Fixture } from '../model/fixture.ts'
import { fixtures } from '../../fixtures/index.ts'
import { createWorkspaceMock, type FixtureName, type WorkspaceMock } from '../mock.ts'
import { urlHost } from './addresses.ts'
import { readAnswersFile } from './answers-file.ts'
import { messageOf, readJsonFile } from './json-file.ts'
import { packageVersion } from './package-version.ts'
import type { LoggedRequest } from './listener.ts'
import { isLook, logLine } from './request-log.ts'
import { serve, type RunningServer } from './serve.ts'
import { describeKeys, suggestCalls } from './suggestions.ts'
import { styled } from './terminal.ts'

export interface ServeFlags {
  readonly port: number
  readonly host: string
  readonly fixture: string
  readonly plan?: Plan
  readonly clock: 'system' | 'manual'
  readonly answers?: string
  readonly allowHost?: readonly string[]
  readonly quiet?: true
}

const isFixtureName = (name: string): name is FixtureName => Object.hasOwn(fixtures, name)

function fixtureOf(name: string): FixtureName | Fixture {
  if (isFixtureName(name)) return name
  if (!existsSync(name)) {
    const names = Object.keys(fixtures).join(', ')
    throw new Error(`--fixture must be one of ${names}, or a JSON file that exists; received ${quote(name)}`)
  }
  // What is in the file is checked by the mock.
  return readJsonFile(name, 'fixture file') as Fixture
}

/** Where addresses begin that are made outside requests, as in the HAR; not known yet of any free port. */
function baseUrlOf({ host, port }: ServeFlags): { baseUrl?: string } {
  const url = `http://${urlHost(host)}:${String(port)}/v1`
  return port !== 0 && URL.canParse(url) ? { baseUrl: new URL(url).href } : {}
}

/** @throws {Error} that says which flag or file is wrong */
function mockOf(flags: ServeFlags): WorkspaceMock {
  const { fixture, plan, clock, answers: answersFile } = flags
  const answers = answersFile === undefined ? {} : readAnswersFile(answersFile)
  try {
    const options = { ...baseUrlOf(flags), ...(plan && { plan }) }
    return createWorkspaceMock({ fixture: fixtureOf(fixture), clock, answers, ...options })
  } catch (error) {
    const file =
      error instanceof FixtureError ? fixture : error instanceof AnswerError ? answersFile : undefined
    throw file === undefined ? error : new Error(`${file}: ${messageOf(error)}`, { cause: error })
  }
}

async function greeting(mock: WorkspaceMock, server: RunningServer, { clock }: ServeFlags): Promise<string> {
  const keys = await describeKeys(mock)
  const nameWidth = Math.max(...keys.map(({ key }) => key.length))
  return [
    '',
    `${styled('bold', 'workspace-api-mock')} ${packageVersion()}, fixture ${mock.fixtureName}, ${clock} clock`,
    '',
    `  API      ${styled('cyan', server.baseUrl)}`,
    `  Console  ${styled('cyan', `${server.url}/__mock/`)}`,
    '',
    'Keys, sent as "Authorization: Bearer KEY":',
    ...keys.map(({ key, name, note }) => `  ${key.padEnd(nameWidth)}  ${styled('dim', `${name}: ${note}`)}`),
    '',
    'Try:',
    ...(await suggestCalls(mock, server.baseUrl)).map((line) => `  ${line}`),
    '',
    '',
  ].join('\n')
}

const networkWarning = (host: string) =>
  `warning: --host ${host} lets everyone in the network reach /v1 and all that is in it; ` +
  '/__mock answers this machine alone, and those whom --allow-host names.\n'

/** Serves until SIGINT or SIGTERM. */
export async function serveCommand(flags: ServeFlags): Promise<void> {
  const { port, host, allowHost: allowHosts = [], quiet = false } = flags
  const mock = mockOf(flags)
  const log = quiet
    ? undefined
    : (request: LoggedRequest) => {
        if (!isLook(request)) process.stdout.write(`${logLine(request)}\n`)
      }
  const server = await serve(mock, { port, host, allowHosts, log })
  endOnSignals(server)
  if (!server.isLoopback) process.stderr.write(networkWarning(host))
  // Whoever has been waiting for the port to open goes first.
  await setImmediate()
  process.stdout.write(await greeting(mock, server, flags))
}

function endOnSignals(server: RunningServer): void {
  const end = () => void server.close().then(() => process.exit(0))
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
}
