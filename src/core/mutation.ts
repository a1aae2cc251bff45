// Bodies of PATCH and DELETE responses for which the contract shows none. Assumption: mutationBody
import type * as z from 'zod/mini'
import type { Empty, Success } from '../contract/schema/common.ts'
import type { Answers } from '../contract/questions/register.ts'

type Acknowledgement = z.infer<typeof Success> | z.infer<typeof Empty>

export function deletedResponse(answers: Answers): Acknowledgement {
  return answers.mutationBody === 'empty' ? {} : { success: true }
}

/** `resource` is called only if the response is the resource. */
export function patchedResponse<T>(answers: Answers, resource: () => T): Acknowledgement | T {
  return answers.mutationBody === 'resource' ? resource() : deletedResponse(answers)
}
