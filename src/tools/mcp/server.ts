// A mock's controls as tools of the Model Context Protocol, for agents that build a client.
import { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import manifest from '../../../package.json' with { type: 'json' }
import { getControl } from '../../adapters/control-api/table.ts'
import { argumentsOf, requestOf } from '../../adapters/control-api/wire.ts'
import type { ControlResponse, SendControl } from '../../adapters/control-api/send-control.ts'
import type { CoverageReport } from '../../mock/journal/coverage.ts'
import { toRequestLine } from '../coverage/request-line.ts'
import { toCoverageText } from '../coverage/text.ts'
import type { OpenApiDocument } from '../openapi/types.ts'

type Fields = Readonly<Record<string, z.ZodType>>

interface Tool {
  readonly what: string
  /** The name of the control it calls, as in adapters/control-api/table.ts. */
  readonly control: string
  /** The control's fields; `body` is the whole body. */
  readonly fields?: Fields
  readonly isRead?: true
}

const id = z.union([z.string(), z.number()])
const object = z.record(z.string(), z.unknown())

const tools: Readonly<Record<string, Tool>> = {
  explain: {
    what: 'Why a test fails: the latest requests with error, hint, fault and remedy, and the rules that the client broke.',
    control: 'explain',
    isRead: true,
  },
  requests: {
    what: 'The journal of requests without bodies, oldest first. Status can be a number or a class such as 4xx.',
    control: 'requestSummaries',
    fields: {
      operation: z.string().optional(),
      status: z.union([z.number(), z.string()]).optional(),
      text: z.string().optional(),
      limit: z.number().optional(),
    },
    isRead: true,
  },
  request: {
    what: 'One request in the journal, with its bodies.',
    control: 'request',
    fields: { id },
    isRead: true,
  },
  reason: {
    what: 'Why a request in the journal was refused: the rule, the state behind it, and remedies.',
    control: 'reason',
    fields: { id },
    isRead: true,
  },
  report: {
    what: "Where the client broke the contract's rules for clients. Empty for a correct client.",
    control: 'report',
    isRead: true,
  },
  set_fault: {
    what: 'Makes a matching request fail, such as {"operation":"listTasks","status":503,"times":2} or {"effect":{"respond":{"status":502}}}.',
    control: 'fault',
    fields: { body: object },
  },
  reset: { what: 'Resets state, clock, faults and journal.', control: 'reset' },
  advance_clock: {
    what: 'Advances the manual clock by a duration such as "30s" or "30d".',
    control: 'clock.advance',
    fields: { by: z.string() },
  },
  seed: {
    what: 'Adds records: a part of a fixture, such as {"tasks":[{"list_id":"lst_support","title":"T"}]}.',
    control: 'seed',
    fields: { body: object },
  },
  change_workspace: {
    what: "Sets the workspace's plan, billing or limits, to test what a plan refuses.",
    control: 'changeWorkspace',
    fields: {
      plan: z.enum(['free', 'pro', 'business', 'scale']).optional(),
      billing: z.enum(['ok', 'lapsed']).optional(),
      limits: object.optional(),
    },
  },
  save_snapshot: {
    what: 'Saves the state under a name.',
    control: 'snapshots.save',
    fields: { name: z.string() },
  },
  restore_snapshot: {
    what: 'Restores a saved snapshot.',
    control: 'snapshots.restore',
    fields: { name: z.string() },
  },
}

const toResult = ({ status, text }: ControlResponse) => ({
  content: [{ type: 'text' as const, text }],
  ...(status >= 400 && { isError: true }),
})

const sandbox = z.string().optional().describe('The sandbox; the main one by default.')

/** Describes an operation with the schemas it refers to; without an id, lists the ids of all operations. */
function describeOperation(
  { paths = {}, components }: OpenApiDocument,
  wanted: string | undefined,
): ControlResponse {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => ({
      method,
      path,
      ...(operation as { operationId: string }),
    })),
  )
  const found = all.find(({ operationId }) => operationId === wanted)
  if (!found) {
    const text = all
      .map(({ operationId, method, path }) => `${operationId}: ${method.toUpperCase()} ${path}`)
      .join('\n')
    return wanted === undefined
      ? { status: 200, text }
      : { status: 404, text: `operation ${wanted} does not exist; there are:\n${text}` }
  }
  const schemas: Record<string, unknown> = {}
  const collect = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name in schemas) continue
      schemas[name] = components?.schemas?.[name]
      collect(schemas[name])
    }
  }
  collect(found)
  return { status: 200, text: JSON.stringify({ ...found, schemas }) }
}

/** Creates a server with a tool for each control that an agent needs. */
export function createMcpServer(send: SendControl): McpServer {
  const server = new McpServer({ name: manifest.name, version: manifest.version })
  for (const [name, { what, control, fields = {}, isRead = false }] of Object.entries(tools)) {
    const route = getControl(control)
    const config = {
      description: what,
      inputSchema: z.object({ ...fields, sandbox }),
      annotations: { readOnlyHint: isRead, openWorldHint: false },
    }
    server.registerTool(name, config, async ({ sandbox: of, ...given }) => {
      const { body, ...rest } = given as { readonly body?: unknown }
      return toResult(await send({ ...requestOf(route, argumentsOf(route, rest, body)), sandbox: of }))
    })
  }
  const read = async (path: string, of?: string) => send({ method: 'GET', path, sandbox: of })
  const readOnly = { readOnlyHint: true, openWorldHint: false }
  server.registerTool(
    'describe_operation',
    {
      description: 'Parameters, body, responses and errors of an operation; without an id, all operations.',
      inputSchema: z.object({ operation: z.string().optional() }),
      annotations: readOnly,
    },
    async ({ operation }) => {
      const response = await read('/openapi.json')
      if (response.status >= 400) return toResult(response)
      return toResult(describeOperation(JSON.parse(response.text) as OpenApiDocument, operation))
    },
  )
  server.registerTool(
    'coverage',
    {
      description:
        'Which documented outcomes the client has hit, and a request that produces each missing one.',
      inputSchema: z.object({ sandbox }),
      annotations: readOnly,
    },
    async ({ sandbox: of }) => {
      const response = await read('/coverage', of)
      if (response.status >= 400) return toResult(response)
      return toResult({
        status: 200,
        text: toCoverageText(JSON.parse(response.text) as CoverageReport, toRequestLine),
      })
    },
  )
  return server
}
