// Plays the requests of a scenario again on the mock alone, as other answers to open questions would have it respond.
import type { AnswersInput } from '../../../contract/questions/register.ts'
import type { WorkspaceMock } from '../../../mock.ts'
import type { Difference } from '../findings/difference.ts'
import type { Exchange, Twin } from './twin.ts'

/** In a browser, too, where there are no boundaries. */
export type MockState = ReturnType<WorkspaceMock['snapshot']>

interface ReplayOptions {
  /** The state in which the first of the requests was sent. */
  readonly start: MockState
  /** The state in which the mock is left; by default `start`. */
  readonly end?: MockState
  /** Whether fields that the contract does not name count as differences; default false. */
  readonly isStrict?: boolean
}

/** @returns for each exchange how the response of the deployment differs from that of a mock with these answers */
export async function replay(
  twin: Twin,
  exchanges: readonly Exchange[],
  answers: AnswersInput,
  { start, end = start, isStrict = false }: ReplayOptions,
): Promise<Difference[][]> {
  const { mock, ids } = twin.reference
  const paired = ids.copy()
  const shown: Difference[][] = []
  try {
    mock.restore(start)
    mock.setAnswers(answers)
    for (const exchange of exchanges)
      shown.push(twin.compare(exchange, await twin.sendToMock(exchange), { ids: paired, isStrict }))
  } finally {
    mock.restore(end)
  }
  return shown
}
