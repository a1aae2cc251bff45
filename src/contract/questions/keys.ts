// Open questions about keys, scopes and numbers.
import { assumedLimits, bulkRowsPerJob, forEveryPlan } from '../limits.ts'
import { formatMebibytes } from '../text/format.ts'
import * as z from 'zod/mini'
import { hasRefusal, isRefused, never, type SeenExchange } from './seen-exchange.ts'
import { choice, fixedQuestion, jsonBodies, question, uploads, type Declared } from './question.ts'
import { defaultScopes, operationIds, type OperationId } from '../scopes.ts'

const Count = () => z.int().check(z.gte(0))
const PerPlan = () => z.strictObject(forEveryPlan(z.nullable(Count())))

interface PerPlanQuestion extends Declared {
  readonly default: z.infer<ReturnType<typeof PerPlan>>
  readonly meaning: string
  readonly otherMeaning: string
}

/** Declares a question about one number per plan; null means no limit. */
const perPlan = ({ otherMeaning, ...declared }: PerPlanQuestion) =>
  question({
    ...declared,
    schema: PerPlan,
    others: [
      'a whole number (0 or more) or null for each of free, pro, business and scale',
      `${otherMeaning}; null means no limit.`,
    ],
  })

const features = ['api', 'asyncBulk'] as const

function Scopes() {
  const scope = z.string().check(z.minLength(1))
  return z.strictObject(
    Object.fromEntries(operationIds.map((id) => [id, scope])) as Record<OperationId, typeof scope>,
  )
}

const { bodyBytes: bodies, maxFileBytes: files } = assumedLimits
const noLimit = forEveryPlan(null)

const isScoped = ({ key }: SeenExchange) => key.kind === 'scoped'

export const keyQuestions = {
  keyPrefix: fixedQuestion({
    source: 'Authentication',
    notShown: 'Which prefix API keys have.',
    meaning: "Fixtures spell out their keys; the keys in the mock's own fixtures begin with wm_.",
    affects: never,
  }),
  scopes: question({
    source: 'Authentication',
    notShown: 'Which scopes exist and what each allows.',
    schema: Scopes,
    default: { ...defaultScopes },
    meaning:
      'A scoped key needs the scope listed next to the operation; a write scope does not include the read scope.',
    others: [
      'a map from operation ids to scopes, none of them empty',
      'The operations in the map need these scopes instead; all others keep theirs.',
    ],
    affects: (seen) => isRefused(seen) || isScoped(seen),
  }),
  actingMember: fixedQuestion({
    source: 'Authentication',
    notShown: 'Who acts when a request names no member.',
    meaning: "The member that the key's member_id names.",
    operations: ['createComment', 'createTimeEntry'],
    affects: ({ isDone, sent = {} }) => isDone && !('as_user' in sent) && !('comment_as' in sent),
  }),
  ownComment: choice({
    source: 'Comments; Authentication',
    notShown: 'Which comments belong to a scoped key.',
    answers: {
      key: 'Comments made with this key.',
      member: "Comments whose author is the key's member.",
    },
    operations: ['updateComment', 'deleteComment'],
    affects: isScoped,
  }),
  bulkInsertPerMinute: perPlan({
    source: 'Limits',
    notShown: 'How many bulk requests are allowed per minute.',
    default: { free: 10, pro: 60, business: 120, scale: 300 },
    meaning: 'Counted per workspace in windows of 60 s, each opened by the first request that counts.',
    otherMeaning: 'Other limits for the plans named',
    operations: ['bulkInsertRows'],
    affects: (seen) => hasRefusal(seen, 'bulkRate'),
  }),
  requestsPerMonth: perPlan({
    source: 'Limits',
    notShown: 'How many requests are allowed per month.',
    default: noLimit,
    meaning: 'Any number.',
    otherMeaning: 'Limits for the plans named, counted per workspace and calendar month in UTC',
    affects: (seen) => hasRefusal(seen, 'monthlyRequests'),
  }),
  maxFileBytes: perPlan({
    source: 'Limits',
    notShown: 'How large an uploaded file can be.',
    default: forEveryPlan(files.bytes),
    meaning: `${formatMebibytes(files.bytes)} for each file, on every plan.`,
    otherMeaning: 'Other sizes in bytes for the plans named',
    operations: uploads,
    affects: (seen) => hasRefusal(seen, 'fileSize'),
  }),
  scalePlan: question({
    source: 'Limits',
    notShown: 'The job limits of the scale plan.',
    schema: () => z.strictObject({ bulkRowsPerJob: Count(), concurrentBulkJobs: Count() }),
    default: { bulkRowsPerJob, concurrentBulkJobs: 10 },
    meaning: 'As many rows in a job as on pro and business, and ten jobs at once.',
    others: [
      'whole numbers (0 or more) for bulkRowsPerJob and concurrentBulkJobs',
      'Other limits; a limit left out keeps its value.',
    ],
    operations: ['submitInsertJob'],
    affects: ({ plan }) => plan === 'scale',
  }),
  planFeatures: question({
    source: 'Authentication; Limits',
    notShown: 'Which features each plan has.',
    schema: () => z.strictObject(forEveryPlan(z.array(z.enum(features)))),
    default: { ...forEveryPlan([...features]), free: ['api'] },
    meaning: 'Every plan has the API; free has no async bulk.',
    others: [
      'an array of api and asyncBulk (both, one or neither) for each of free, pro, business and scale',
      'Other features for the plans named. Without api, every operation responds with 403, as documented ' +
        'for the identity; without asyncBulk, only submitting a job does.',
    ],
    affects: (seen) => hasRefusal(seen, 'apiFeature', 'asyncBulk'),
  }),
  spacesLimit: perPlan({
    source: 'Spaces and lists',
    notShown: 'How many spaces a plan allows before creating another is refused with 403.',
    default: noLimit,
    meaning: 'Any number.',
    otherMeaning: 'Numbers for the plans named',
    operations: ['createSpace'],
    affects: (seen) => hasRefusal(seen, 'spacesLimit'),
  }),
  listsLimit: perPlan({
    source: 'Spaces and lists',
    notShown: 'How many lists a plan allows before creating another is refused with 403.',
    default: noLimit,
    meaning: 'Any number.',
    otherMeaning: 'Limits for the plans named, counted per space',
    operations: ['createList'],
    affects: (seen) => hasRefusal(seen, 'listsLimit'),
  }),
  bodyBytes: question({
    source: 'Errors',
    notShown: 'How large and how deeply nested a JSON body can be.',
    schema: () => z.int().check(z.gte(1)),
    default: bodies.bytes,
    meaning:
      `${formatMebibytes(bodies.bytes)}; a larger body gets 413, and one nested deeper than ` +
      `${String(bodies.levels)} levels gets 400.`,
    others: ['a whole number of bytes, at least 1', 'Another size; the limit on nesting stays the same.'],
    operations: jsonBodies,
    affects: (seen) => hasRefusal(seen, 'bodySize'),
  }),
}
