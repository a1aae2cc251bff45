// A fixture as a mock loads it: what keeps it from loading is left out and named by its path.
import { FixtureError, type FixtureProblem } from '../../fixture/error.ts'
import { loadBase } from '../../fixture/load.ts'
import { resolveAnswers, type AnswersInput } from '../../contract/questions/register.ts'
import { isObject } from '../../contract/data/objects.ts'
import type { Fixture, FixtureWorkspace } from '../../../fixtures/types.ts'
import { leaveOut, type Path } from './leave-out.ts'
import { note, type Losses } from './losses.ts'

/** What is left out can leave something else without what it needs, such as a comment without its author. */
const mostRounds = 20

/** The keys of a path such as `workspaces[0].tables[1].name`; a key can have a dot in it. */
function keysOf(path: string, value: unknown): Path {
  const [, index, below = ''] = /^\[(\d+)\]\.?(.*)$/s.exec(path) ?? []
  if (index !== undefined && Array.isArray(value))
    return [Number(index), ...keysOf(below, (value as unknown[])[Number(index)])]
  if (path === '' || !isObject(value)) return path === '' ? [] : [path]
  const [key = path] = Object.keys(value)
    .filter((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
    .sort((a, b) => b.length - a.length)
  return [key, ...keysOf(path.slice(key.length).replace(/^\./, ''), value[key])]
}

/** Where texts and ids of users begin in a path. */
const contents = /\.(?:data|custom_data|field_config|rules|settings|content|description)\b.*/s

function lose(losses: Losses, { path, message }: FixtureProblem, keys: Path, fixture: Fixture): void {
  const names = path.replaceAll(/\[\d+\]/g, '[*]')
  const owner = keys.slice(0, keys.findLastIndex((key) => typeof key === 'number') + 1)
  const record = owner.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    fixture,
  )
  const id = isObject(record) && typeof record.id === 'string' ? record.id : undefined
  const where = { text: path, anonymous: path.replace(contents, '') }
  const sentence = note`${where}${id === undefined ? '' : note` of ${id}`} left out: it ${message.slice(path.length + 1)}`
  losses.add(names, { kind: 'value', note: sentence, id })
}

/** Contents of the files that the attachments of a workspace name. */
function filesOf(workspace: FixtureWorkspace, files: ReadonlyMap<string, string>): Record<string, string> {
  const tasks = (workspace.spaces ?? []).flatMap(({ lists = [] }) => lists).flatMap(({ tasks = [] }) => tasks)
  const used = new Set<unknown>(tasks.flatMap(({ attachments = [] }) => attachments.map(({ id }) => id)))
  for (const { columns = [], rows = [] } of workspace.tables ?? [])
    for (const { id: columnId, type } of columns)
      for (const { data } of type === 'attachment' ? rows : []) {
        const items = data?.[columnId ?? '']
        if (Array.isArray(items)) for (const item of items) if (isObject(item)) used.add(item.key)
      }
  return Object.fromEntries([...files].filter(([key]) => used.has(key)))
}

/**
 * The fixture that loads, with the contents of its files.
 * @throws {FixtureError} where nothing more can be left out
 */
export function makeLoadable(
  made: Fixture & { readonly workspaces: readonly FixtureWorkspace[] },
  files: ReadonlyMap<string, string>,
  answers: AnswersInput,
  losses: Losses,
): Fixture {
  const resolved = resolveAnswers(answers)
  for (let round = 0; ; round += 1) {
    const [workspace] = made.workspaces
    const fixture = { ...made, files: workspace ? filesOf(workspace, files) : {} }
    try {
      loadBase(fixture, { answers: resolved, mostProblems: Infinity })
      return fixture
    } catch (error) {
      if (!(error instanceof FixtureError) || round >= mostRounds) throw error
      const problems = error.problems.map((problem) => ({ problem, keys: keysOf(problem.path, fixture) }))
      for (const { problem, keys } of problems) lose(losses, problem, keys, fixture)
      const below = problems.map(({ keys }) => keys.slice(2))
      const isOutside = problems.some(({ keys }) => keys[0] !== 'workspaces' || keys.length < 3)
      if (isOutside || leaveOut(workspace, below).length > 0) throw error
    }
  }
}
