// The document's examples: requests to the demo fixture, and the mock's responses.
import type { OperationId } from '../../contract/index.ts'
import {
  defaultAnswers,
  questions,
  questionsOf,
  type Answers,
  type JsonValue,
  type QuestionId,
} from '../../contract/questions/register.ts'
import recorded from './examples.json' with { type: 'json' }

export interface Example {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly json?: JsonValue
  /** The parts of a multipart request; a file is represented by its text. */
  readonly multipart?: JsonValue
  /** The response: JSON, or the text of a file. */
  readonly response: JsonValue
}

/** The type check fails if an operation has no example; `npm run generate` records them. */
const examples: Readonly<Record<OperationId, unknown>> = recorded

/** The base address used when the examples were recorded. */
export const recordedBaseUrl = 'https://api.workspace.test/v1'

/** The example for an operation; undefined if other answers about response shapes would make it wrong. */
export function exampleOf(operation: OperationId, answers: Answers, baseUrl: string): Example | undefined {
  const isOther = (id: QuestionId) => JSON.stringify(answers[id]) !== JSON.stringify(defaultAnswers[id])
  if (questionsOf(operation).some((id) => questions[id].part === 'Shapes' && isOther(id))) return undefined
  const text = JSON.stringify(examples[operation])
  return JSON.parse(text.replaceAll(recordedBaseUrl, baseUrl)) as Example
}
