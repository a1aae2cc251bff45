// Guesses the operation that a request without a match means, from the words in its path.
import { operationList, type Operation } from '../../contract/index.ts'
import { findNear, findNearest, suggestNearest } from '../../contract/text/nearest.ts'
import { findOperation } from '../requests/route.ts'

const isParameter = (part: string) => part.startsWith('{')
const splitPath = (path: string) => path.split('/').filter((part) => part !== '')
const wordsIn = ({ path }: Operation) => splitPath(path).filter((part) => !isParameter(part))

/** The words in all paths, such as `time-entries`. */
const words = [...new Set(operationList.flatMap(wordsIn))]
const firstWords = [...new Set(operationList.map(({ path }) => splitPath(path)[0] ?? ''))]
const methods = [...new Set(operationList.map(({ method }) => method))]

const singularOf = (word: string) => word.replace(/ies$/, 'y').replace(/s$/, '')
const toLetters = (text: string) => singularOf(text).replace(/[-_]/g, '')
const lettersOfWords = words.map(toLetters)

/** The path word that a part stands for: singular or plural, with other separators, cut at the front, or misspelled. */
function findWord(part: string): string | undefined {
  const given = part.slice(0, 40).toLowerCase()
  const letters = toLetters(given)
  const exact = lettersOfWords.indexOf(letters)
  const cut = letters.length > 3 ? lettersOfWords.findIndex((word) => word.endsWith(letters)) : -1
  // For short words, `suggestNearest` allows too few edits.
  const short = given.length < 4 ? findNear(given, words) : undefined
  return words[exact] ?? words[cut] ?? suggestNearest(given, words) ?? short
}

/** Fills an operation's path with the given ids, so that they do not count as differences. */
const fillPath = (known: Operation, parts: readonly string[]) =>
  splitPath(known.path).map((part, index) => (isParameter(part) ? (parts[index] ?? '') : part))

/** At or above this cost, an operation concerns another resource or has another method. */
const sameResource = 40

/** Among operations on the resource that the path's last word names, finds the closest ones and their cost. */
function findByWords(method: string, parts: readonly string[]) {
  const given = parts.map(findWord)
  const named = given.filter((word) => word !== undefined)
  const last = named.at(-1)
  const endsInId = given.at(-1) === undefined
  const costOf = (known: Operation) => {
    const own = wordsIn(known)
    const parameters = splitPath(known.path).length - own.length
    const isOnRecord = isParameter(splitPath(known.path).at(-1) ?? '')
    // Without an id at the end, an operation on one record may still be meant.
    const ending = isOnRecord === endsInId ? 0 : endsInId ? 60 : 4
    return (
      (known.method === method ? 0 : 100) +
      (own.at(-1) === last ? ending : sameResource) +
      own.filter((word) => !named.includes(word)).length * 4 +
      named.filter((word) => !own.includes(word)).length * 4 +
      Math.abs(parameters - (parts.length - named.length))
    )
  }
  const costs = operationList
    .filter((known) => last !== undefined && wordsIn(known).includes(last))
    .map((known) => ({ known, cost: costOf(known) }))
  const least = Math.min(...costs.map(({ cost }) => cost))
  return { operations: costs.filter(({ cost }) => cost === least).map(({ known }) => known), least }
}

/**
 * Finds the operations that were probably meant: one with a similarly spelled path, else operations on the same
 * resource, else other methods of the same path, else the most similar operations.
 */
function findMeant(method: string, path: string): readonly Operation[] {
  const parts = splitPath(path)
  const isMisspelled = (known: Operation) => {
    const filled = fillPath(known, parts)
    const isNear = (part: string, index: number) => suggestNearest(part, [filled[index] ?? '']) !== undefined
    return known.method === method && filled.length === parts.length && parts.every(isNear)
  }
  const misspelled = findNearest(
    path,
    operationList.filter(isMisspelled),
    (known) => `/${fillPath(known, parts).join('/')}`,
  )
  if (misspelled) return [misspelled]
  const { operations, least } = findByWords(method, parts)
  if (least < sameResource) return operations
  const ofPath = methods.flatMap((other) => findOperation(other, `/${parts.join('/')}`)?.operation ?? [])
  return ofPath.length > 0 ? ofPath : operations
}

/** Says `Tasks are created under a list` if the operation's path begins with an owner that the given path lacks. */
function describeOwner({ method, path }: Operation, given: string): string {
  const [owner, , resource] = splitPath(path)
  if (!owner || !resource?.endsWith('s') || splitPath(given).some((part) => findWord(part) === owner))
    return ''
  const name = resource.charAt(0).toUpperCase() + resource.slice(1).replace('-', ' ')
  return ` ${name} are ${method === 'POST' ? 'created' : 'found'} under a ${singularOf(owner).replace(/^data/, '')}.`
}

/** Names the operations that an unknown method and path probably mean: `did you mean GET /tasks/{taskId} (getTask)?` */
export function hintAtOperation(method: string, whole: string): string {
  const path = whole.slice(0, 1000)
  // No operation uses PUT; a client that sends it wants to change something.
  const meant = findMeant(method === 'PUT' ? 'PATCH' : method, path)
  const [first] = meant
  if (!first) return `the paths begin with ${firstWords.map((word) => `/${word}`).join(', ')}`
  const shown = meant.map((known) => `${known.method} ${known.path} (${known.id})`).join(' or ')
  const slash = whole.endsWith('/') ? ' Paths do not end with a slash.' : ''
  return `did you mean ${shown}?${describeOwner(first, path)}${slash}`
}
