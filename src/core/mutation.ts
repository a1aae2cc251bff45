// Owns the bodies of PATCH and DELETE answers for which the contract shows none. Assumption: mutationBody
import type * as z from 'zod/mini'
import type { Empty, Success } from '../contract/common.ts'
import type { Answers } from '../contract/questions/register.ts'

type Acknowledgement = z.infer<typeof Success> | z.infer<typeof Empty>

export function deletedAnswer(answers: Answers): Acknowledgement {
  return answers.mutationBody === 'empty' ? {} : { success: true }
}

/** `resource` is asked for only where the resource is what gets answered. */
export function patchedAnswer<T>(answers: Answers, resource: () => T): Acknowledgement | T {
  return answers.mutationBody === 'resource' ? resource() : deletedAnswer(answers)
}
