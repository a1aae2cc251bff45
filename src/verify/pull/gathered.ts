// What a pull gathers besides the records: people, the newest moment, files, what cannot be seen, observed answers.
import { base64Size, zeroBase64 } from '../../contract/data/base64.ts'
import { isColor } from '../../contract/schema/colors.ts'
import type { Member } from '../../contract/schema/common.ts'
import { toFixture } from '../../contract/schema/field-values.ts'
import type { Fields } from '../../contract/schema/fields.ts'
import {
  defaultAnswers,
  questions,
  type Answers,
  type AnswersInput,
  type QuestionId,
} from '../../contract/questions/register.ts'
import { priorities } from '../../contract/tasks.ts'
import { areTexts, fitsType, type ValueSpec } from '../rules/rows/cells.ts'
import type { Reader } from './reader.ts'

/** JSON: what is missing is absent, not undefined. */
type Present<T> = T extends readonly (infer Item)[]
  ? Present<Item>[]
  : T extends object
    ? { [Name in keyof T]: Present<Exclude<T[Name], undefined>> }
    : T

export class Gathered {
  readonly reader: Reader
  readonly wantsFiles: boolean
  readonly mostRows: number
  readonly answers: Answers
  readonly files: Record<string, string> = {}
  /** Sentences for the end, each once. */
  readonly notes = new Set<string>()
  /** Names by id: of the members, and after them of those whom only records name. */
  readonly #people = new Map<string, string>()
  #memberCount = 0
  readonly #observed: { -readonly [Id in QuestionId]?: Answers[Id] } = {}
  readonly #priorities = new Set<number>()
  readonly #misfits = new Map<string, number>()
  #unfetched = 0
  #newest = 0

  constructor(reader: Reader, answers: Answers, wantsFiles: boolean, mostRows: number) {
    this.reader = reader
    this.answers = answers
    this.wantsFiles = wantsFiles
    this.mostRows = mostRows
  }

  /** A moment of the service in Unix seconds. */
  saw(...moments: readonly unknown[]): void {
    for (const moment of moments)
      if (typeof moment === 'number' && Number.isFinite(moment)) this.#newest = Math.max(this.#newest, moment)
  }

  /** What a fixture has of a record that was read; a colour that it does not take is left out. */
  record<F extends Fields>(fields: F, read: object) {
    const { color, ...record }: Record<string, unknown> = toFixture(fields, read as never)
    this.saw(record.created_at, record.updated_at)
    const isTaken = color === null || (typeof color === 'string' && isColor(color))
    return { ...record, ...(isTaken && { color }) } as Present<ReturnType<typeof toFixture<F>>>
  }

  /** The newest moment seen, up to the next whole minute. */
  get clock(): number {
    return Math.ceil(this.#newest / 60) * 60
  }

  /** Somebody that a record names, who need not be a member any more. */
  person(id: string, name: string = id): string {
    if (!this.#people.has(id)) this.#people.set(id, name)
    return id
  }

  /** Before any record is read. */
  members(found: readonly Member[]): void {
    for (const { id, name } of found) this.person(id, name)
    this.#memberCount = this.#people.size
  }

  get people(): Member[] {
    return [...this.#people].map(([id, name]) => ({ id, name }))
  }

  /** The first answer seen stays; undefined where none was seen. */
  observe<Id extends QuestionId>(question: Id, answer: Answers[Id] | undefined): void {
    if (answer !== undefined) this.#observed[question] ??= answer
  }

  /** The contents of a file under its key. @returns its size in bytes */
  file(key: string, sizeBytes: number, contents?: string): number {
    if (contents === undefined && sizeBytes > 0) this.#unfetched += 1
    this.files[key] = contents ?? zeroBase64(sizeBytes)
    return contents === undefined ? sizeBytes : base64Size(contents)
  }

  /** Whether a value fits its column or field; one that does not is left out and noted. */
  fits(where: string, spec: ValueSpec, value: unknown): boolean {
    const fits = fitsType(spec, value)
    const at = `${where}, ${spec.name}`
    if (!fits) this.#misfits.set(at, (this.#misfits.get(at) ?? 0) + 1)
    else if (spec.type === 'people' && areTexts(value)) for (const id of value) this.person(id)
    return fits
  }

  /** Before any priority is named. */
  seePriority(priority: unknown): void {
    if (typeof priority === 'number') this.#priorities.add(priority)
  }

  /**
   * A priority by name. Where the known answer lacks one of the integers seen, all are taken in ascending order.
   * Assumption: taskPriority
   */
  priorityName(priority: unknown): (typeof priorities)[number] | null {
    const { taskPriority } = this.answers
    const known: readonly number[] = Object.values(taskPriority)
    const isKnown = [...this.#priorities].every((integer) => known.includes(integer))
    const assumed = isKnown ? taskPriority : this.#guessedPriorities(known)
    return priorities.find((name) => assumed[name] === priority) ?? null
  }

  #guessedPriorities(known: readonly number[]): Answers['taskPriority'] {
    const names = ['none', ...priorities] as const
    const all = [...new Set([...this.#priorities, ...known])]
    const integers = all.slice(0, names.length).sort((a, b) => a - b)
    const guess = names.map((name, index) => [name, integers[index] ?? index] as const)
    const answer = Object.fromEntries(guess) as Answers['taskPriority']
    this.observe('taskPriority', answer)
    const taken = guess.map(([name, integer]) => `${name} ${String(integer)}`).join(', ')
    this.notes.add(
      `Which integer is which priority is not shown: in ascending order they are taken as ${taken}. If that is wrong, give the answer to taskPriority (--answers).`,
    )
    return answer
  }

  /** What a mock needs besides the fixture to respond as the deployment does. */
  observed(given: AnswersInput): AnswersInput {
    const found = Object.entries(this.#observed).filter(
      ([id, answer]) => JSON.stringify(answer) !== JSON.stringify(defaultAnswers[id as QuestionId]),
    )
    return { ...given, ...Object.fromEntries(found) }
  }

  seeFieldType(type: string): void {
    const known = this.#observed.customFieldTypes ?? [
      ...new Set([...questions.customFieldTypes.default, ...this.answers.customFieldTypes]),
    ]
    if (!known.includes(type)) this.#observed.customFieldTypes = [...known, type]
  }

  get misfitNotes(): string[] {
    const { failed, vanished, refused } = this.reader
    const left = [...this.#people.values()].slice(this.#memberCount)
    return [
      ...[...this.#misfits].map(
        ([where, count]) => `${String(count)} values do not fit their type and were left out: ${where}.`,
      ),
      ...(left.length > 0
        ? [`Named by records but not members any more, members in the fixture: ${left.join(', ')}.`]
        : []),
      ...(this.#unfetched > 0
        ? [
            `${String(this.#unfetched)} files hold zero bytes of the right size: files of rows cannot be downloaded${this.wantsFiles ? '' : ', and those of tasks are with --files'}.`,
          ]
        : []),
      ...[...refused].map(([operation, why]) => `${operation} is refused to this key: ${why}.`),
      ...failed.map((failure) => `No usable response: ${failure}.`),
      ...(vanished > 0 ? [`${String(vanished)} records were gone when they were to be read.`] : []),
    ]
  }
}
