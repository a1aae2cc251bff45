// The options of createWorkspaceMock, their validation, and loading of the fixture they name.
import * as z from 'zod/mini'
import { fixtures } from '../fixtures/index.ts'
import { Plan as PlanSchema } from './contract/identity.ts'
import type { AnswersInput } from './contract/questions/register.ts'
import { describeNearestName } from './contract/text/nearest.ts'
import { JsonObject } from './contract/schema/maps.ts'
import { quote } from './contract/text/quote.ts'
import type { Limits, Plan } from './contract/types.d.ts'
import { Limits as LimitsSchema } from './contract/workspaces.ts'
import { ControlError } from './mock/control-error.ts'
import { loadBase, type LoadOptions } from './service/fixture/load.ts'
import type { Fixture } from '../fixtures/types.ts'
import type { KeyNames, OwnFixture } from './service/fixture/fixture.ts'
import { clockModes, isSeconds, latestSeconds, type ClockMode } from './service/store/clock.ts'
import type { Baseline } from './service/store/store.ts'

export type FixtureName = keyof typeof fixtures

interface OwnKeys {
  readonly demo: 'master' | 'scoped' | 'suspended' | 'free' | 'business' | 'scale' | 'lapsed'
  readonly empty: 'master'
  readonly large: 'master'
}
export type KeysOf<F> = F extends FixtureName ? OwnKeys[F] : KeyNames<F>

export interface MockOptions<F extends FixtureName | Fixture = FixtureName | Fixture> {
  /**
   * Base address of the API; must end with /v1. A path such as `/api/v1` resolves against the page, or against
   * `http://localhost` in Node. `mock.baseUrl` returns it normalized. Default `https://api.workspace.test/v1`.
   */
  readonly baseUrl?: string
  /** Name of a built-in fixture, or a fixture of your own. Default `demo`. */
  readonly fixture?: F
  /**
   * Start time of the fixture in Unix seconds; `now` is read once, when the mock is created. Record times (created, updated,
   * due, deleted) shift with it; values in rows, custom fields and texts do not. Default: the fixture's `clock`.
   */
  readonly startAt?: 'now' | number
  /** Plan of the fixture's first workspace. */
  readonly plan?: Plan
  /** Limits for every workspace; they override the plan's. Null means unlimited. */
  readonly limits?: Limits
  /** Answers to open questions; they override the defaults. */
  readonly answers?: AnswersInput
  /** `manual` (default) advances only through `mock.clock` and job polls; `system` starts at the fixture's time and then follows Date. */
  readonly clock?: ClockMode
  /** Whether a job poll advances a manual clock by 500 ms. Default true. */
  readonly advanceOnPoll?: boolean
  /** Whether to validate every response against its schema; a mismatch gives 500. Default false. */
  readonly selfCheck?: boolean
  /** Number of requests the journal keeps. Default 1,000. */
  readonly journalSize?: number
  /**
   * Total size of the journals of all sandboxes and boundaries, in bytes. Beyond it the largest journal drops its oldest
   * bodies and changed values; requests, findings and coverage stay. Default 64 MiB.
   */
  readonly journalBytes?: number
  /** Maximum number of sandboxes. Default 1,000. */
  readonly maxSandboxes?: number
}

const baseUrlRule = 'must be an http(s) address or a path, and end with /v1'
const startRule = `must be "now" or whole Unix seconds from 0 to ${String(latestSeconds)}`

export const Options = z.lazy(() =>
  z.strictObject({
    baseUrl: z.optional(
      z.string().check(z.refine((given) => toAbsoluteUrl(given) !== undefined, baseUrlRule)),
    ),
    fixture: z.optional(z.union([z.string(), JsonObject])),
    startAt: z.optional(z.custom<'now' | number>((given) => given === 'now' || isSeconds(given), startRule)),
    plan: z.optional(PlanSchema),
    limits: z.optional(LimitsSchema),
    answers: z.optional(JsonObject),
    clock: z.optional(z.enum(clockModes)),
    advanceOnPoll: z.optional(z.boolean()),
    selfCheck: z.optional(z.boolean()),
    journalSize: z.optional(z.int().check(z.gte(0))),
    journalBytes: z.optional(z.int().check(z.gte(0))),
    maxSandboxes: z.optional(z.int().check(z.gte(0))),
  }),
)

/**
 * Normalizes a base address to the form requests use: lower-case ASCII host, no default port, no trailing slash. A path
 * resolves against the page, or against http://localhost without one.
 */
export function toAbsoluteUrl(given: string): string | undefined {
  const isPath = /^\/(?!\/)/.test(given)
  const page = globalThis.location as Location | undefined
  const url = isPath
    ? (URL.parse(given, page?.href) ?? URL.parse(given, 'http://localhost'))
    : URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  const address = url.href.replace(/\/+$/, '')
  return address.endsWith('/v1') && !/[?#]/.test(address) ? address : undefined
}

/** The built-in fixtures, each loaded once. A baseline depends only on its fixture and never changes, so all mocks share it. */
const ownBases = new Map<FixtureName, Baseline>()

export function baseOf(given: FixtureName | Fixture, options: LoadOptions): Baseline {
  if (typeof given !== 'string') return loadBase(given, options)
  const isAsIs = Object.keys(options).length === 0
  const known = isAsIs ? ownBases.get(given) : undefined
  if (known) return known
  const base = loadBase(getOwnFixture(given), { ...options, isOwn: true })
  if (isAsIs) ownBases.set(given, base)
  return base
}

function getOwnFixture(given: FixtureName): OwnFixture {
  if (Object.hasOwn(fixtures, given)) return fixtures[given]()
  const names = Object.keys(fixtures)
  if (/[/\\]|\.json$/.test(given))
    throw new ControlError(
      `fixture takes the contents of a file, not its name: import it, or pass JSON.parse(await readFile(${quote(given)}, 'utf8'))`,
    )
  throw new ControlError(
    `fixture must be one of ${names.join(', ')}, or an object; received ${quote(given)}${describeNearestName(given, names)}`,
  )
}
