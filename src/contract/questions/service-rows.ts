// Open questions about how the service treats rows and jobs.
import { isObject } from '../data/objects.ts'
import { assumedLimits, pollMs, textOperators } from '../limits.ts'
import * as z from 'zod/mini'
import {
  hasField,
  hasFilters,
  hasRefusal,
  hasNamedColumns,
  hasShown,
  type SeenExchange,
} from './seen-exchange.ts'
import { choice, fixedQuestion, jobIds, question, rowWrites } from './question.ts'
import { operationIds } from '../scopes.ts'

const isTextFilter = (filter: unknown) =>
  isObject(filter) && textOperators.some((operator) => operator === filter.operator)

const isPoll = ({ operation, isDone }: SeenExchange) => operation === 'getJob' && isDone

export const rowServiceQuestions = {
  filterValues: fixedQuestion({
    source: 'Datatables',
    notShown: 'How the text of an equality filter is compared with the value of a typed column.',
    meaning:
      'Number-like columns compare as numbers, checkbox with true or false, dropdown and tags by option ' +
      'id or label, people by member id or name, everything else as text. tags, people and datatable ' +
      'columns match if any of their values matches; query operators work the same way.',
    operations: ['listRows', 'queryRows'],
    affects: hasFilters,
  }),
  queryText: choice({
    source: 'Datatables; Tasks',
    notShown: 'Whether comparisons ignore case.',
    answers: {
      insensitive:
        'Case is ignored by contains, not_contains, starts_with, ends_with and the task search q, and ' +
        'matters for eq, neq, in, not_in and equality filters.',
      sensitive: 'Case matters everywhere.',
    },
    operations: ['listRows', 'queryRows', 'listTasks'],
    affects: (seen) =>
      seen.query.has('q') ||
      hasField(seen, ['filters'], (filters) => Array.isArray(filters) && filters.some(isTextFilter)),
  }),
  emptyValues: fixedQuestion({
    source: 'Datatables',
    notShown: 'Which values count as empty, and how values are ordered.',
    meaning:
      'null, a missing value, "" and [] are empty. They sort last in either direction and satisfy only ' +
      'neq, not_contains, not_in, is_empty and is_false. Numbers sort by value, autonumbers by their ' +
      'number (gt, gte, lt, lte and between accept the text or the number; equality and text operators compare ' +
      'the text), text by its lower-cased code units, dropdown, tags and people by label or name; equal ' +
      'values stay in insertion order.',
    operations: ['listRows', 'queryRows'],
    affects: (seen) => hasFilters(seen) || hasNamedColumns(seen, 'sort'),
  }),
  listOrder: fixedQuestion({
    source: 'Endpoints',
    notShown: 'The order of listings.',
    meaning: 'Order of creation; submissions by created_at, then by id.',
    operations: operationIds.filter((id) => id.startsWith('list') || id === 'queryRows'),
    affects: (seen) =>
      seen.isDone &&
      Object.values(seen.response ?? {}).some((value) => Array.isArray(value) && value.length > 1),
  }),
  upsertMatch: fixedQuestion({
    source: 'Datatables',
    notShown: 'How an unknown mode, a wrong key_column, and several or no rows for one key are treated.',
    meaning:
      'Rows are inserted if mode is insert or missing, upserted if it is upsert; any other mode gets 400, as ' +
      'does an upsert whose key_column is missing or unknown. The key column can be read-only. A row whose key ' +
      'is missing or null is inserted. Of several matches, the one inserted first is updated; if two submitted ' +
      'rows share a key, the second updates the result of the first.',
    operations: ['bulkInsertRows'],
    affects: (seen) => hasField(seen, ['mode']),
  }),
  jobTransitions: choice({
    source: 'Job status',
    notShown: 'Which states a job goes through.',
    answers: {
      failedWhenNothingIn:
        'queued, processing, then done; failed instead of done only if every chunk failed and no row ' +
        'was inserted.',
      failedOnAnyChunk: 'queued, processing, then done; failed instead of done if any chunk failed.',
    },
    operations: jobIds,
    affects: isPoll,
  }),
  jobTimeline: question({
    source: 'Job status',
    notShown: 'How long a job stays in each state, and how its progress moves.',
    schema: () =>
      z.strictObject({
        queuedMs: z.int().check(z.gte(1)),
        chunkRows: z.int().check(z.gte(1)),
        chunkMs: z.int().check(z.gte(pollMs)),
      }),
    default: { queuedMs: 500, chunkRows: 1000, chunkMs: pollMs },
    meaning:
      'Processing starts after queuedMs. The n-th chunk of chunkRows rows is checked and inserted at ' +
      'queuedMs + n * chunkMs, and the job ends with the last chunk. progress is rows handled / total; ' +
      'updated_at is the latest of these times so far.',
    others: [
      `whole numbers: queuedMs and chunkRows at least 1, chunkMs at least ${String(pollMs)}`,
      'The same timeline with other values; a value left out stays as it is. Progress never changes more often ' +
        `than every ${String(pollMs)} ms, hence the minimum of chunkMs.`,
    ],
    operations: jobIds,
    affects: isPoll,
  }),
  jobChunkErrors: choice({
    source: 'Job',
    notShown: 'How an invalid row affects the other rows of its chunk, and the format of error_message.',
    answers: {
      keepValid:
        'The chunk counts as failed, but its valid rows are inserted. Its message is "chunk N: row I: REASON" for ' +
        'its first invalid row; N counts from 1, I from 0 over the whole submission. Up to ' +
        `${String(assumedLimits.jobChunkErrors.messages)} messages are joined ` +
        'by "; ".',
      rejectChunk: 'The chunk counts as failed and none of its rows is inserted; messages as for keepValid.',
    },
    operations: ['getJob'],
    affects: (seen) => hasShown(seen, [], ({ metadata }) => isObject(metadata) && metadata.errors !== 0),
  }),
  lockedTable: choice({
    source: 'Jobs',
    notShown: 'Which writes other than jobs a locked table refuses.',
    answers: {
      bulk: 'Jobs and bulk requests get 403.',
      jobs: 'Only jobs get 403.',
      writes: 'Everything that changes rows gets 403.',
    },
    operations: [...rowWrites, 'deleteRow', 'uploadRowAttachment', 'deleteRowAttachment'],
    affects: (seen) => hasRefusal(seen, 'lockedTable') || seen.table?.locked === true,
  }),
}
