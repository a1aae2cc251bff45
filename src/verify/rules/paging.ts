// The rules of pages by limit and offset, and of pages out of range.
import { operations } from '../../contract/index.ts'
import { mostPerPage, perPage } from '../../contract/limits.ts'
import type { Ask } from '../engine/client.ts'
import { expectFields, expectSame, expectThat } from '../engine/expect.ts'
import { Unreachable } from '../engine/drift.ts'
import type { Context, Rule, rulesOn } from '../engine/rule.ts'
import { asAnswered } from './checks.ts'

/** A listing that is paged by limit and offset. */
interface Paged extends Context {
  readonly page: (query?: Ask['query']) => Promise<{ limit: number; offset: number; ids: string[] }>
  /** What is listed, up to the most of a page. */
  readonly all: () => Promise<readonly unknown[]>
}

/** The page at `query` is the first, of `limit` things. */
const isFirst = (limit: number, query: string) => async (c: Paged) =>
  expectFields('page', await c.page(query), { limit, offset: 0 })

export const clamped = (query: string, limit: number) => asAnswered({ query }, isFirst(limit, query))

/** The rules of a listing's pages. `owner` is what has the things that are listed. */
export function pagingRules(
  operation: 'listTasks' | 'listFormSubmissions',
  owner: 'list' | 'form',
  things: 'tasks' | 'submissions',
  rulesOf: ReturnType<typeof rulesOn<Paged>>,
): Rule[] {
  const most = mostPerPage[things]
  const thing = things.slice(0, -1)
  const { tag } = operations[operation]
  return rulesOf('contract, Limits', {
    [`${operation}/default-page: returns the first ${String(perPage)} ${things} by default`]: async (
      c: Paged,
    ) => {
      const { ids, ...got } = await c.page()
      expectFields('page', got, { limit: perPage, offset: 0 })
      expectSame(`number of ${things}`, ids.length, Math.min(perPage, (await c.all()).length))
    },
    [`${operation}/largest-page: a page can have ${String(most)} ${things}`]: async ({ page }: Paged) => {
      const { limit, ids } = await page({ limit: most })
      expectSame('limit', limit, most)
      expectThat(ids.length <= most, `${String(most)} ${things} at most`, ids.length)
    },
    [`${operation}/limit: limit sets the page size (contract, ${tag})`]: async ({ page }: Paged) => {
      const { limit, ids } = await page({ limit: 1 })
      expectSame(`limit and number of ${things}`, [limit, ids.length], [1, 1])
    },
    [`${operation}/offset: offset skips ${things} (contract, ${tag})`]: async ({ page }: Paged) => {
      const whole = await page({ limit: 4 })
      if (whole.ids.length < 2) throw new Unreachable(`no ${owner} has two ${things}`)
      const rest = await page({ limit: 3, offset: 1 })
      expectSame('offset', rest.offset, 1)
      expectSame('ids', rest.ids, whole.ids.slice(1))
    },
    [`${operation}/past-the-end: an offset past the last ${thing} returns none (contract, ${tag})`]: async (
      c: Paged,
    ) => expectSame(things, (await c.page({ offset: 1_000_000 })).ids, []),
    [`${operation}/limit-above-maximum: takes limit=${String(most + 1)} as question limitAboveMax says`]:
      clamped(`limit=${String(most + 1)}`, most),
  })
}
