// The order of the tests: those that wait (for pages and processes) come first, so that everything else runs in the
// meantime. A project's files stay together, since a process of files that share one ends where another project begins.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Projects from first to last; unlisted ones come after them. */
const projects = [
  'journeys',
  'command-line',
  'on-demand-thorough-command-line',
  'on-demand-thorough-journeys',
  'on-demand-thorough-saved-runs',
  'unit-intercepting',
  'on-demand-thorough-alone',
  'unit',
  'on-demand-thorough',
  'in-process',
  'intercepted',
  'standalone',
]

const rankOf = ({ project }: TestSpecification): number => {
  const rank = projects.indexOf(project.name)
  return rank === -1 ? projects.length : rank
}

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b))
  }
}
