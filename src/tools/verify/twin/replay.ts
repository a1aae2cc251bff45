// Plays the requests of a scenario again on the mock alone, as other answers to open questions would have it respond.
import type { AnswersInput } from '../../../contract/questions/register.ts'
import type { WorkspaceMock } from '../../../mock.ts'
import type { Difference } from '../engine/drift.ts'
import type { Exchange, Twin } from './twin.ts'

interface ReplayOptions {
  /** The state in which the first of the requests was sent, if the mock has changed since. */
  readonly start?: ReturnType<WorkspaceMock['snapshot']> | undefined
  /** Whether fields that the contract does not name count as differences; default false. */
  readonly isStrict?: boolean
}

/** Runs something on a mock and takes back what it has changed. In a browser too, where there are no boundaries. */
export async function playApart(mock: WorkspaceMock, run: () => Promise<void>): Promise<void> {
  const before = mock.snapshot()
  try {
    await run()
  } finally {
    mock.restore(before)
  }
}

/** @returns for each exchange how the response of the deployment differs from that of a mock with these answers */
export async function replay(
  twin: Twin,
  exchanges: readonly Exchange[],
  answers: AnswersInput,
  { start, isStrict = false }: ReplayOptions = {},
): Promise<Difference[][]> {
  const { mock, ids } = twin.oracle
  const paired = ids.copy()
  const shown: Difference[][] = []
  await playApart(mock, async () => {
    if (start) mock.restore(start)
    mock.setAnswers(answers)
    for (const exchange of exchanges)
      shown.push(twin.compare(exchange, await twin.sendToMock(exchange), { ids: paired, isStrict }))
  })
  return shown
}
