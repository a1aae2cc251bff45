// The folder of `serve --snapshots`: one file per named snapshot, so that snapshots survive restarts.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkspaceMock } from '../../../mock.ts'
import type { LoggedRequest } from '../../../adapters/server/respond.ts'
import { targetOf } from '../../../adapters/server/targets.ts'
import type { AnswersInput } from '../../../contract/questions/register.ts'
import { prefixErrors, readJsonFile, writeFile } from '../files.ts'
import type { Fixture } from '../../../../fixtures/types.ts'

/** The whole state rather than the difference from the fixture, which may be edited in between. */
interface SavedState {
  readonly state: Fixture
  readonly answers: AnswersInput
}

export class SnapshotFolder {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    prefixErrors(`${folder} cannot be created`, () => mkdirSync(folder, { recursive: true }))
  }

  #fileOf = (name: string) => join(this.#folder, `${name}.json`)

  /** Loads the folder's snapshots into a new mock. @throws {Error} naming a file that is not a state */
  load(mock: WorkspaceMock): void {
    const names = readdirSync(this.#folder).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])
    for (const name of names.sort()) {
      const file = this.#fileOf(name)
      const { state, answers = {} } = readJsonFile(file, 'snapshot') as Partial<SavedState>
      prefixErrors(file, () => {
        mock.loadState(state ?? ({} as Fixture))
        mock.setAnswers(answers)
        mock.snapshots.save(name)
        mock.reset()
      })
    }
  }

  /** Writes or deletes the file of a snapshot that a request saved or deleted. */
  follow(mock: WorkspaceMock, { method, url, sandbox, response }: LoggedRequest): void {
    const { surface, path } = targetOf(url)
    const [, resource, part, action] = path.split('/')
    if (surface !== 'control' || resource !== 'snapshots' || part === undefined || action !== undefined)
      return
    if (method === 'GET' || sandbox !== null || response?.status !== 200) return
    const name = decodeURIComponent(part)
    if (!mock.snapshots.list().some((each) => each.name === name)) {
      rmSync(this.#fileOf(name), { force: true })
      return
    }
    const snapshot = mock.snapshots.read(name)
    const read = mock.boundary((): SavedState => {
      mock.restore(snapshot)
      return { state: mock.state(), answers: mock.answers }
    })
    writeFile(this.#fileOf(name), JSON.stringify(read(), null, 2))
  }
}
