// The order of the tests: those that wait (for pages and processes) come first or are spread among the others, so that
// everything else runs in the meantime.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Projects from first to last; unlisted ones come after them. */
const projects = [
  'journeys',
  'command-line',
  'unit-intercepting',
  'unit',
  'in-process',
  'intercepted',
  'standalone',
]

/** Projects with so many files that wait that both processors would be idle if they ran together. */
const spread = ['on-demand-thorough-journeys', 'on-demand-thorough-command-line']

const rankOf = ({ project }: TestSpecification): number => {
  const rank = projects.indexOf(project.name)
  return rank === -1 ? projects.length : rank
}

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ordered = (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b))
    const isWaiting = ({ project }: TestSpecification) => spread.includes(project.name)
    const parts = [ordered.filter(isWaiting), ordered.filter((file) => !isWaiting(file))]
    // Each file's place in its part, from 0 to 1.
    const places = new Map(parts.flatMap((part) => part.map((file, index) => [file, index / part.length])))
    return ordered.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
  }
}
