// Owns seeding: adding a part of a fixture to a world as it is.
import { Problems } from './fixture-error.ts'
import { SeedInput } from './seed-schema.ts'
import { writeContents, writeWorkspaces } from './fixture-workspaces.ts'
import { FixtureWriter, type MadeKind } from './fixture-writer.ts'
import { agendaOf } from './settle.ts'
import type { World } from './world.ts'

/** Ids of what was made, by kind, each in the order in which it stood in the part. Keys are those clients send. */
export type SeedResult = Readonly<Record<MadeKind, readonly string[]>>

/**
 * Adds a part of a fixture to a world. Tables, spaces, lists, tasks and forms that exist are named by their id, to add
 * to what they hold; what stands at the top belongs to the first workspace. No event is told.
 * To be called within `world.change`, which takes back what was written if this throws.
 * @throws {FixtureError} naming what is wrong by its path
 */
export function seedWorld(world: World, partial: unknown): SeedResult {
  const checked = SeedInput.safeParse(partial)
  if (!checked.success) {
    const problems = new Problems('seed')
    problems.addIssues(checked.error, partial)
    problems.throwAny()
    throw checked.error
  }
  const { workspaces = [], files = {}, ...contents } = checked.data
  const writer = new FixtureWriter(world, {
    what: 'seed',
    addsToExisting: true,
    allowsLostLinks: false,
    files,
  })
  writeWorkspaces(writer, workspaces)
  const [first] = world.workspaces.all()
  if (first) writeContents(writer, first, contents, '')
  writer.finish()
  scheduleMade(world, writer.made)
  return writer.made
}

function scheduleMade(world: World, { jobs, tasks }: SeedResult): void {
  const made = {
    jobs: jobs.flatMap((id) => world.jobs.get(id) ?? []),
    tasks: tasks.flatMap((id) => world.tasks.get(id) ?? []),
  }
  for (const entry of agendaOf(made)) world.agenda.schedule(entry)
}
