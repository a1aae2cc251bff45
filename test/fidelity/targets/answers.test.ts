// Proves that every answer to every open question makes a difference that a client can see.
import { describe, expect, it } from 'vitest'
import { questions, type JsonValue } from '../../../src/contract/questions/register.ts'
import { useMock } from '../../behaviour/support/harness.ts'
import { answerName } from '../coverage.ts'
import { cover } from '../meta.ts'
import { differences, lookAt, type SwitchableId } from './support/differences.ts'

const switchable = Object.keys(differences) as SwitchableId[]

describe('answers', () => {
  const { api, control } = useMock({ advanceOnPoll: false })

  it.for(switchable)('%s: each answer can be told from the others', async (id, { task }) => {
    const { others } = differences[id]
    const { meanings, schema, default: first } = questions[id]
    const answers = [first as JsonValue, ...others]
    expect(answers).toHaveLength(meanings.length)
    const seen: string[] = []
    for (const [index, answer] of answers.entries()) {
      const { answer: literal } = meanings[index]!
      if (schema().safeParse(literal).success) expect(answer).toEqual(literal)
      await control.reset()
      await control.setAnswers({ [id]: answer })
      seen.push(JSON.stringify(await lookAt(id, api, control)))
      cover(task.meta, 'answers', [answerName(id, index)])
    }
    expect(new Set(seen).size, seen.join('\n')).toBe(answers.length)
  })
})
