// Values that break code not prepared for them: prototype keys, broken encodings, surrogates, depth, size.
import fc from 'fast-check'

const prototypeKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf']

export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...prototypeKeys),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\udfff\ud800',
    '\ufeff',
    '\u202e',
    'é',
    'e\u0301',
    '😀',
    '\r\nX: y',
    '"',
    '\\',
  ),
  fc.constantFrom(
    'x'.repeat(3000),
    '../../etc/passwd',
    '${x}',
    '{{x}}',
    '<b>',
    "' OR 1=1 --",
    '%00',
    'null',
    'NaN',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

const oddNumber = fc.constantFrom(
  0,
  -0,
  -1,
  1,
  0.5,
  1e21,
  -1e300,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  2 ** 31,
  1e-320,
  86_400,
  1_767_607_200,
  8_640_000_000_001,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
)

/** Words that have a meaning in some body field. */
const word = fc.constantFrom(
  ...[
    'Title',
    'Tags',
    'col_text',
    'col_tags',
    'col_number',
    'col_formula',
    'col_attachment',
    'col_autonumber',
  ],
  ...['eq', 'neq', 'between', 'in', 'contains', 'is_empty', 'gt', 'any', 'desc', 'asc', 'upsert', 'insert'],
  ...[
    'manual',
    'start',
    'stop',
    'on_schedule',
    'on_complete',
    'monthly',
    'weekly',
    'daily',
    '23:59',
    '24:00',
  ],
  ...[
    'low',
    'urgent',
    'st_done',
    'st_todo',
    'mem_ada',
    'mem_bo',
    'tag_red',
    'opt_lead',
    'lin_1',
    'tsk_full',
    '#fff',
  ],
)

/** Fields of all bodies, and keys that are not fields. */
const fieldName = fc.constantFrom(
  ...[
    'name',
    'color',
    'icon',
    'title',
    'status_id',
    'priority',
    'due_date',
    'date_start',
    'date_end',
    'assignees',
  ],
  ...[
    'custom_data',
    'time_estimate',
    'project_id',
    'parent_task_id',
    'description',
    'repeat_config',
    'type_id',
  ],
  ...['data', 'rows', 'mode', 'key_column', 'filters', 'match', 'sort', 'select', 'page', 'limit', 'column'],
  ...[
    'operator',
    'value',
    'direction',
    'content',
    'comment_as',
    'action',
    'duration',
    'note',
    'billable',
    'as_user',
  ],
  ...['trigger', 'frequency', 'day_of_week', 'day_of_month', 'time', 'end_date', 'fld_number', 'fld_tags'],
  ...[
    'col_text',
    'col_number',
    'col_tags',
    'col_people',
    'col_dropdown',
    'col_date',
    'col_datatable',
    'col_nope',
  ],
  ...prototypeKeys,
)

export const oddJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { weight: 3, arbitrary: word },
    { weight: 2, arbitrary: oddNumber },
    { weight: 2, arbitrary: oddText },
    { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}) },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    { weight: 3, arbitrary: oddObject(tie('value')) },
  ),
})).value

/** Objects whose keys are own properties, including `__proto__`. */
function oddObject(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .array(
      fc.tuple(fc.oneof({ weight: 9, arbitrary: fieldName }, { weight: 1, arbitrary: oddText }), value),
      {
        maxLength: 5,
      },
    )
    .map((entries) => Object.fromEntries(entries))
}

type Path = readonly (string | number)[]

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by
  const copy = structuredClone(value) as Record<string | number, unknown>
  Object.defineProperty(copy, key, {
    value: replaced(copy[key], rest, by),
    enumerable: true,
    configurable: true,
    writable: true,
  })
  return copy
}

/** A valid body with one part replaced or one field added. */
export function nearTo(good: unknown): fc.Arbitrary<unknown> {
  const place = fc.constantFrom(...pathsOf(good))
  const within = fc.tuple(place, oddJson).map(([path, by]) => replaced(good, path, by))
  if (typeof good !== 'object' || good === null) return within
  return fc.oneof(
    within,
    fc.tuple(fieldName, oddJson).map(([name, value]) => replaced(good, [name], value)),
  )
}
