// What a fixture needs in addition to the records: people, the latest time, files, observed answers.
import { sizeOfBase64, toBase64 } from '../../contract/data/base64.ts'
import type { Member } from '../../contract/schema/common.ts'
import { toFixture } from '../../contract/schema/field-values.ts'
import type { Fields } from '../../contract/schema/fields.ts'
import {
  defaultAnswers,
  type Answers,
  type AnswersInput,
  type QuestionId,
} from '../../contract/questions/register.ts'
import type { ServedCustomField } from '../../contract/lists.ts'
import type { Task } from '../../contract/tasks.ts'
import { priorities } from '../../contract/limits.ts'
import { formatCount } from '../../contract/text/format.ts'
import { mostFileBytes, type Bag } from './bag.ts'
import type { Shown } from './listings.ts'
import { toNote, toPlainNote, type Notes } from './notes.ts'

/** A type without undefined, which JSON lacks. */
type Present<T> = T extends readonly (infer Item)[]
  ? Present<Item>[]
  : T extends object
    ? { [Name in keyof T]: Present<Exclude<T[Name], undefined>> }
    : T

/** Larger numbers cannot be Unix seconds. */
const latestMoment = 1e11

export class Gathered {
  readonly bag: Bag
  readonly notes: Notes
  readonly answers: Answers
  /** File contents in base64, by attachment id or storage key. */
  readonly files = new Map<string, string>()
  /** Names by id: members first, then people who appear only in records. */
  readonly #people = new Map<string, string>()
  #memberCount = 0
  readonly #observed: { -readonly [Id in QuestionId]?: Answers[Id] } = {}
  #unfetched = 0
  #fileBytes = 0
  #newest = 0

  constructor(bag: Bag, answers: Answers) {
    this.bag = bag
    this.notes = bag.notes
    this.answers = answers
  }

  noteMoments(...moments: readonly unknown[]): void {
    for (const moment of moments)
      if (typeof moment === 'number' && moment < latestMoment) this.#newest = Math.max(this.#newest, moment)
  }

  toRecord<F extends Fields>(fields: F, read: object) {
    const record: Record<string, unknown> = toFixture(fields, read as never)
    this.noteMoments(record.created_at, record.updated_at)
    return record as Present<ReturnType<typeof toFixture<F>>>
  }

  get clock(): number {
    return Math.ceil(this.#newest / 60) * 60
  }

  /** Adds a person named by a record, who may have left the workspace. */
  addPerson(id: string, name: string = id): string {
    if (!this.#people.has(id)) this.#people.set(id, name)
    return id
  }

  addPeopleIn(type: string | undefined, value: unknown): void {
    if (type === 'people' && Array.isArray(value))
      for (const person of value) if (typeof person === 'string') this.addPerson(person)
  }

  /** Must be called before any record is read: people added later do not count as members. */
  addMembers(found: readonly Partial<Member>[]): void {
    for (const { id, name } of found) if (id !== undefined) this.addPerson(id, name)
    this.#memberCount = this.#people.size
  }

  get people(): Member[] {
    return [...this.#people].map(([id, name]) => ({ id, name }))
  }

  /** Keeps only the first answer to a question. */
  observe<Id extends QuestionId>(question: Id, answer: Answers[Id] | undefined): void {
    if (answer !== undefined) this.#observed[question] ??= answer
  }

  /** @returns the size in bytes, which may differ from the listed size */
  addFile(key: string, filename: string, listed: number, contents?: string): number {
    const wanted = contents === undefined ? listed : sizeOfBase64(contents)
    const size = wanted >= 0 && this.#fileBytes + wanted <= mostFileBytes ? wanted : 0
    if (contents === undefined && size > 0) this.#unfetched += 1
    const most = formatCount(mostFileBytes)
    const why =
      contents === undefined
        ? toNote`: all files together may have at most ${toPlainNote(most)} bytes`
        : toNote``
    if (size !== listed)
      this.notes.add(toNote`File ${filename} has ${size} bytes, not ${listed} as listed${why}.`)
    this.#fileBytes += size
    this.files.set(key, size === wanted && contents !== undefined ? contents : toBase64(new Uint8Array(size)))
    return size
  }

  /**
   * Names priorities. If the known answer lacks an integer in use, all are named in ascending order.
   * Assumption: taskPriority
   */
  namePriorities(tasks: readonly Shown<Task>[]): void {
    const known: number[] = Object.values(this.answers.taskPriority)
    const integers = tasks.flatMap(({ priority }) => priority ?? [])
    if (integers.every((integer) => known.includes(integer))) return
    const names = ['none', ...priorities]
    const all = [...new Set([...integers, ...known])].slice(0, names.length).sort((a, b) => a - b)
    const guess = names.map((name, index): [string, number] => [name, all[index] ?? index])
    this.observe('taskPriority', Object.fromEntries(guess) as Answers['taskPriority'])
    const taken = guess.map((pair) => pair.join(' ')).join(', ')
    this.notes.add(
      `The API does not show which integer stands for which priority. Assumed, in ascending order: ${taken}. If that is wrong, pass the answer to taskPriority (--answers).`,
    )
  }

  /** Call `namePriorities` first. */
  toPriorityName(priority: unknown): (typeof priorities)[number] | null {
    const integers = this.#observed.taskPriority ?? this.answers.taskPriority
    return priorities.find((name) => integers[name] === priority) ?? null
  }

  /** The answers a mock needs, in addition to the fixture, to respond as the deployment does. */
  collectAnswers(given: AnswersInput): AnswersInput {
    const found = Object.entries(this.#observed).filter(
      ([id, answer]) => JSON.stringify(answer) !== JSON.stringify(defaultAnswers[id as QuestionId]),
    )
    return { ...given, ...Object.fromEntries(found) }
  }

  noteFieldTypes(fields: readonly Shown<ServedCustomField>[]): void {
    const known = [...defaultAnswers.customFieldTypes, ...this.answers.customFieldTypes]
    const used = fields.flatMap(({ type }) => type ?? [])
    if (used.some((type) => !known.includes(type)))
      this.observe('customFieldTypes', [...new Set([...known, ...used])])
  }

  /** Adds notes that can be written only once all records are known. */
  conclude(): void {
    const left = [...this.#people.values()].slice(this.#memberCount).join(', ')
    const those =
      this.bag.bounds.files === true ? toNote`` : toNote`, and task files are only downloaded with --files`
    const { vanished, lacking, isRecorded } = this.bag
    const missing = [...lacking]
      .map(([id, count]) => `${id} (${count === 1 ? 'once' : `${String(count)} times`})`)
      .join(', ')
    if (isRecorded && missing !== '') this.notes.add(`Not recorded: ${missing}.`)
    if (left !== '')
      this.notes.add(
        toNote`Named by records but no longer members, added to the fixture as members: ${left}.`,
      )
    if (this.#unfetched > 0)
      this.notes.add(
        toNote`${this.#unfetched} files have the right size but only zero bytes: row files cannot be downloaded${those}.`,
      )
    if (vanished > 0) this.notes.add(toNote`${vanished} records were deleted before they could be read.`)
  }
}
