// What a pull gathers besides the records: people, the newest moment, files, observed answers.
import { sizeOfBase64, toBase64 } from '../../../contract/data/base64.ts'
import { operations, type OperationId } from '../../../contract/index.ts'
import type { Member } from '../../../contract/schema/common.ts'
import { toFixture } from '../../../contract/schema/field-values.ts'
import type { Fields } from '../../../contract/schema/fields.ts'
import {
  defaultAnswers,
  type Answers,
  type AnswersInput,
  type QuestionId,
} from '../../../contract/questions/register.ts'
import { priorities } from '../../../contract/limits.ts'
import { formatCount } from '../../../contract/text/format.ts'
import { toNote, toPlainNote, type Notes } from './notes.ts'
import type { Reader } from './reader.ts'

/** A type without undefined, as JSON has it. */
type Present<T> = T extends readonly (infer Item)[]
  ? Present<Item>[]
  : T extends object
    ? { [Name in keyof T]: Present<Exclude<T[Name], undefined>> }
    : T

/** The parts of a workspace, and the paths of the operations that show them. */
const parts = {
  tables: /^\/(datatables|jobs)/,
  lists: /^\/(lists\/\{listId\}\/|tasks)/,
  comments: /\/comments/,
  entries: /\/time-entries/,
  files: /^\/tasks\/.*\/attachments/,
  forms: /^\/forms/,
}

/** How much is read; by default all. */
export interface PullBounds {
  /** Most rows of a table, tasks of a list, submissions of a form. */
  readonly rows?: number | undefined
  readonly tasks?: number | undefined
  readonly submissions?: number | undefined
  /** Most tables, lists and forms that are read with what belongs to them; of the others only their listing. */
  readonly owners?: number | undefined
  /** Most tasks of each list, and of all lists, whose comments, time entries and attachments are read. */
  readonly details?: readonly [ofList: number, ofAll: number] | undefined
  /** The operations for which it is read. */
  readonly wanted?: ReadonlySet<OperationId> | undefined
  /** Whether files are downloaded; default false. */
  readonly files?: boolean | undefined
}

/** Most bytes of all files together; the others are empty. */
const mostFileBytes = 128 * 1024 * 1024
/** Larger numbers are not Unix seconds. */
const latestMoment = 1e11

export class Gathered {
  readonly reader: Reader
  readonly notes: Notes
  readonly bounds: PullBounds
  readonly answers: Answers
  /** Ids of tables, lists and forms that were not read whole. */
  readonly partial = new Set<string>()
  /** Contents in base64 by attachment id or storage key. */
  readonly files = new Map<string, string>()
  /** Names by id: of the members, then of people that only records name. */
  readonly #people = new Map<string, string>()
  #memberCount = 0
  readonly #observed: { -readonly [Id in QuestionId]?: Answers[Id] } = {}
  #unfetched = 0
  #detailed = 0
  #fileBytes = 0
  #newest = 0

  constructor(reader: Reader, answers: Answers, bounds: PullBounds) {
    this.reader = reader
    this.notes = reader.notes
    this.answers = answers
    this.bounds = bounds
  }

  isWanted(part: keyof typeof parts): boolean {
    const { wanted } = this.bounds
    return wanted === undefined || [...wanted].some((id) => parts[part].test(operations[id].path))
  }

  /** The first of some tables, lists or forms, which are read with what belongs to them. */
  chooseOwners<T extends { readonly id: string }>(
    part: 'tables' | 'lists' | 'forms',
    all: readonly T[],
  ): T[] {
    const chosen = this.isWanted(part) ? all.slice(0, this.bounds.owners) : []
    for (const one of all) if (!chosen.includes(one)) this.partial.add(one.id)
    return chosen
  }

  /** Whether the comments, entries and files of a task are read, the `index`th of its list. */
  takeDetails(index: number): boolean {
    const [ofList, ofAll] = this.bounds.details ?? [Infinity, Infinity]
    if (index >= ofList || this.#detailed >= ofAll) return false
    this.#detailed += 1
    return true
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

  /** Adds a person that a record names, who need not be a member any more. */
  addPerson(id: string, name: string = id): string {
    if (!this.#people.has(id)) this.#people.set(id, name)
    return id
  }

  addPeopleIn(type: string | undefined, value: unknown): void {
    if (type === 'people' && Array.isArray(value))
      for (const person of value) if (typeof person === 'string') this.addPerson(person)
  }

  /** To be called before any record is read. */
  addMembers(found: readonly Partial<Member>[]): void {
    for (const { id, name } of found) if (id !== undefined) this.addPerson(id, name)
    this.#memberCount = this.#people.size
  }

  get people(): Member[] {
    return [...this.#people].map(([id, name]) => ({ id, name }))
  }

  /** Only the first answer to a question counts. */
  observe<Id extends QuestionId>(question: Id, answer: Answers[Id] | undefined): void {
    if (answer !== undefined) this.#observed[question] ??= answer
  }

  get spareFileBytes(): number {
    return mostFileBytes - this.#fileBytes
  }

  /** @returns the size in bytes, which can differ from the listed one */
  addFile(key: string, filename: string, listed: number, contents?: string): number {
    const wanted = contents === undefined ? listed : sizeOfBase64(contents)
    const size = wanted >= 0 && wanted <= this.spareFileBytes ? wanted : 0
    if (contents === undefined && size > 0) this.#unfetched += 1
    const most = formatCount(mostFileBytes)
    const why =
      contents === undefined ? toNote`: all files together hold up to ${toPlainNote(most)} bytes` : toNote``
    if (size !== listed)
      this.notes.add(toNote`File ${filename} has ${size} bytes, not ${listed} as listed${why}.`)
    this.#fileBytes += size
    this.files.set(key, size === wanted && contents !== undefined ? contents : toBase64(new Uint8Array(size)))
    return size
  }

  /**
   * Names priorities. Where the known answer lacks one of the integers in use, all are taken in ascending order.
   * Assumption: taskPriority
   */
  namePriorities(used: readonly unknown[]): void {
    const known: number[] = Object.values(this.answers.taskPriority)
    const integers = used.filter((priority) => typeof priority === 'number')
    if (integers.every((integer) => known.includes(integer))) return
    const names = ['none', ...priorities]
    const all = [...new Set([...integers, ...known])].slice(0, names.length).sort((a, b) => a - b)
    const guess = names.map((name, index): [string, number] => [name, all[index] ?? index])
    this.observe('taskPriority', Object.fromEntries(guess) as Answers['taskPriority'])
    const taken = guess.map((pair) => pair.join(' ')).join(', ')
    this.notes.add(
      `Which integer is which priority is not shown: in ascending order they are taken as ${taken}. If that is wrong, give the answer to taskPriority (--answers).`,
    )
  }

  /** To be called after `namePriorities`. */
  toPriorityName(priority: unknown): (typeof priorities)[number] | null {
    const integers = this.#observed.taskPriority ?? this.answers.taskPriority
    return priorities.find((name) => integers[name] === priority) ?? null
  }

  /** The answers that a mock needs, besides the fixture, to respond as the deployment does. */
  collectAnswers(given: AnswersInput): AnswersInput {
    const found = Object.entries(this.#observed).filter(
      ([id, answer]) => JSON.stringify(answer) !== JSON.stringify(defaultAnswers[id as QuestionId]),
    )
    return { ...given, ...Object.fromEntries(found) }
  }

  noteFieldTypes(used: readonly string[]): void {
    const known = [...defaultAnswers.customFieldTypes, ...this.answers.customFieldTypes]
    if (used.some((type) => !known.includes(type)))
      this.observe('customFieldTypes', [...new Set([...known, ...used])])
  }

  /** Adds the notes that need all records. */
  conclude(): void {
    const left = [...this.#people.values()].slice(this.#memberCount).join(', ')
    const those = this.bounds.files === true ? toNote`` : toNote`, and those of tasks are with --files`
    const { vanished } = this.reader
    if (left !== '')
      this.notes.add(toNote`Named by records but not members any more, members in the fixture: ${left}.`)
    if (this.#unfetched > 0)
      this.notes.add(
        toNote`${this.#unfetched} files hold zero bytes of the right size: files of rows cannot be downloaded${those}.`,
      )
    if (vanished > 0) this.notes.add(toNote`${vanished} records were gone when they were to be read.`)
  }
}
