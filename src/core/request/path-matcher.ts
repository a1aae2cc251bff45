// Matches methods and paths with templates such as `/tasks/{taskId}`.

interface Template<T> {
  readonly value: T
  /** Null where any segment fits. */
  readonly fixed: readonly (string | null)[]
  readonly names: readonly string[]
}

export interface PathMatch<T> {
  readonly value: T
  /** Values as sent, still encoded. */
  readonly params: Readonly<Record<string, string>>
}

export class PathMatcher<T> {
  /** By method and number of segments; those with the most fixed segments first. */
  readonly #templates = new Map<string, Template<T>[][]>()

  add(method: string, path: string, value: T): void {
    const names = path.split('/').map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1])
    const fixed = path.split('/').map((segment, index) => (names[index] === undefined ? segment : null))
    let byLength = this.#templates.get(method)
    if (!byLength) this.#templates.set(method, (byLength = []))
    const alike = (byLength[fixed.length] ??= [])
    alike.push({ value, fixed, names: names.map((name) => name ?? '') })
    alike.sort((a, b) => parametersOf(a) - parametersOf(b))
  }

  /** A parameter has at least one character, and a slash at the end counts. */
  find(method: string, path: string): PathMatch<T> | undefined {
    const segments = path.split('/')
    for (const template of this.#templates.get(method)?.[segments.length] ?? [])
      if (fits(template, segments)) return { value: template.value, params: paramsOf(template, segments) }
    return undefined
  }
}

const parametersOf = ({ fixed }: Template<unknown>) => fixed.filter((segment) => segment === null).length

function fits({ fixed }: Template<unknown>, segments: readonly string[]): boolean {
  for (let index = 0; index < fixed.length; index++) {
    const wanted = fixed[index]
    if (wanted === null ? segments[index] === '' : segments[index] !== wanted) return false
  }
  return true
}

function paramsOf({ fixed, names }: Template<unknown>, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (let index = 0; index < fixed.length; index++)
    if (fixed[index] === null) params[names[index] ?? ''] = segments[index] ?? ''
  return params
}
