// What a pull gathers besides the records: people, the newest moment, files, what cannot be seen, observed answers.
import { base64Size, zeroBase64 } from '../../contract/values/base64.ts'
import { isColor } from '../../contract/values/colors.ts'
import type { Member } from '../../contract/schema/common.ts'
import { toFixture } from '../../contract/schema/field-values.ts'
import type { Fields } from '../../contract/schema/fields.ts'
import { isObject, type JsonObject } from '../../contract/values/objects.ts'
import {
  defaultAnswers,
  questions,
  type Answers,
  type AnswersInput,
  type QuestionId,
} from '../../contract/questions/register.ts'
import { priorities } from '../../contract/tasks.ts'
import { areTexts, fitsType } from '../rules/rows/cells.ts'
import type { Reader } from './reader.ts'

/** What a column and a custom field have in common. */
interface ValueSpec {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly options?: readonly { readonly id?: string }[] | undefined
}

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
  readonly #members = new Map<string, string>()
  readonly #observed: Partial<Record<QuestionId, unknown>> = {}
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
    if (!this.#members.has(id)) {
      this.#members.set(id, name)
      if (this.#known) this.#left.push(name)
    }
    return id
  }

  #known = false
  readonly #left: string[] = []
  members(found: readonly Member[]): void {
    for (const { id, name } of found) this.person(id, name)
    this.#known = true
  }

  /** Members, and after them those whom only records name. */
  get people(): Member[] {
    return [...this.#members].map(([id, name]) => ({ id, name }))
  }

  observe<Id extends QuestionId>(question: Id, answer: Answers[Id]): void {
    this.#observed[question] ??= answer
  }

  /** The contents of a file under its key. @returns its size in bytes */
  file(key: string, sizeBytes: number, contents?: string): number {
    if (contents === undefined && sizeBytes > 0) this.#unfetched += 1
    this.files[key] = contents ?? zeroBase64(sizeBytes)
    return contents === undefined ? sizeBytes : base64Size(contents)
  }

  /** Whether a value fits its column or field; one that does not is left out and noted. */
  fits(where: string, spec: ValueSpec, value: unknown): boolean {
    const { type, name } = spec
    const fits = fitsType(spec, value)
    if (!fits) this.#misfits.set(`${where}, ${name}`, (this.#misfits.get(`${where}, ${name}`) ?? 0) + 1)
    else if (type === 'people' && areTexts(value)) for (const id of value) this.person(id)
    return fits
  }

  /** A priority by name. Integers that the known answer does not have are taken in ascending order. */
  seePriority(priority: unknown): void {
    if (typeof priority === 'number') this.#priorities.add(priority)
  }

  /** The name of each integer. Assumption: taskPriority */
  priorityNames(): (priority: unknown) => (typeof priorities)[number] | null {
    const { taskPriority } = this.answers
    const known = new Set<number>(Object.values(taskPriority))
    const isKnown = [...this.#priorities].every((priority) => known.has(priority))
    const assumed = isKnown ? taskPriority : this.#guessedPriorities(known)
    const names = new Map(priorities.map((name) => [assumed[name], name]))
    return (priority) => names.get(priority as number) ?? null
  }

  #guessedPriorities(known: ReadonlySet<number>): Answers['taskPriority'] {
    const seen = [...this.#priorities, ...known].slice(0, priorities.length + 1).sort((a, b) => a - b)
    const guess = Object.fromEntries(
      (['none', ...priorities] as const).map((name, index) => [name, seen[index] ?? index]),
    ) as Answers['taskPriority']
    this.observe('taskPriority', guess)
    this.notes.add(
      `Which integer is which priority is not shown: in ascending order they are taken as ${Object.entries(
        guess,
      )
        .map(([name, integer]) => `${name} ${String(integer)}`)
        .join(', ')}. If that is wrong, give the answer to taskPriority (--answers).`,
    )
    return guess
  }

  /** What a mock needs besides the fixture to respond as the deployment does. */
  observed(given: AnswersInput): AnswersInput {
    const found = Object.entries(this.#observed).filter(
      ([id, answer]) => JSON.stringify(answer) !== JSON.stringify(defaultAnswers[id as QuestionId]),
    )
    return { ...given, ...Object.fromEntries(found) }
  }

  seeFieldType(type: string): void {
    const known: readonly string[] = this.answers.customFieldTypes
    const more = (this.#observed.customFieldTypes as string[] | undefined) ?? [
      ...new Set([...questions.customFieldTypes.default, ...known]),
    ]
    if (!more.includes(type)) this.#observed.customFieldTypes = [...more, type]
  }

  get misfitNotes(): string[] {
    const { failed, vanished, refused } = this.reader
    return [
      ...[...this.#misfits].map(
        ([where, count]) => `${String(count)} values do not fit their type and were left out: ${where}.`,
      ),
      ...(this.#left.length > 0
        ? [`Named by records but not members any more, members in the fixture: ${this.#left.join(', ')}.`]
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

/** Without what is null or missing. */
export const present = (data: unknown): JsonObject =>
  isObject(data)
    ? Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined))
    : {}
