// The folder of `serve --snapshots`: one file per named snapshot, so that snapshots survive restarts.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Fixture } from '../../../../fixtures/types.ts'
import { createFolder, prefixErrors, removeFile, writeFile } from '../../../adapters/server/write-file.ts'
import { isObject } from '../../../contract/data/objects.ts'
import type { AnswersInput } from '../../../contract/questions/register.ts'
import { quote } from '../../../contract/text/quote.ts'
import type { WorkspaceMock } from '../../../mock.ts'
import { readJsonFile } from '../files.ts'

/** Saves the whole state rather than its difference from the fixture, which may be edited in between. */
interface SavedState {
  readonly state: Fixture
  readonly answers: AnswersInput
}

export class SnapshotFolder {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    createFolder(folder)
  }

  #fileOf = (name: string) => join(this.#folder, `${name}.json`)

  #assertFile(file: string): void {
    // Reading a pipe would wait forever.
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true
    if (!isFile) throw new Error('it must be a regular file; move it out of the folder')
  }

  /** Loads the folder's snapshots into a new mock. @throws {Error} naming a file that is not a snapshot */
  load(mock: WorkspaceMock): void {
    const names = readdirSync(this.#folder).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])
    for (const name of names.sort()) {
      const file = this.#fileOf(name)
      prefixErrors(`snapshot ${file}`, () => this.#assertFile(file))
      const saved = readJsonFile(file, 'snapshot')
      prefixErrors(`snapshot ${file}`, () => {
        if (!isObject(saved) || !isObject(saved.state))
          throw new Error(`it must be an object with a state, as serve writes it; received ${quote(saved)}`)
        const { state, answers = {} } = saved as Pick<SavedState, 'state'> & Partial<SavedState>
        mock.loadState(state)
        mock.setAnswers(answers)
        mock.snapshots.save(name)
        mock.reset()
      })
    }
  }

  /** Returns a mock that writes its named snapshots to the folder. A snapshot that cannot be written is not saved. */
  attach(mock: WorkspaceMock): WorkspaceMock {
    const { snapshots } = mock
    const isKnown = (name: string) => snapshots.list().some((each) => each.name === name)
    const keep = (name: string, save: () => void) => {
      const former = isKnown(name) ? snapshots.read(name) : undefined
      save()
      try {
        this.#write(mock, name)
      } catch (error) {
        if (former) snapshots.add(name, former)
        else snapshots.delete(name)
        throw error
      }
    }
    const kept: WorkspaceMock['snapshots'] = {
      ...snapshots,
      save: (name) => keep(name, () => snapshots.save(name)),
      add: (name, snapshot) => keep(name, () => snapshots.add(name, snapshot)),
      delete: (name) => {
        if (isKnown(name)) removeFile(this.#fileOf(name))
        snapshots.delete(name)
      },
    }
    return Object.create(mock, { snapshots: { value: kept, enumerable: true } }) as WorkspaceMock
  }

  #write(mock: WorkspaceMock, name: string): void {
    const snapshot = mock.snapshots.read(name)
    const read = mock.boundary((): SavedState => {
      mock.restore(snapshot)
      return { state: mock.state(), answers: mock.answers }
    })
    const file = this.#fileOf(name)
    prefixErrors(file, () => this.#assertFile(file))
    writeFile(file, JSON.stringify(read(), null, 2))
  }
}
