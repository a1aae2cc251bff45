// The schema of the body of every error.
import * as z from 'zod/mini'
import { OptionalText, Text, objectOf } from './common.ts'
import type * as types from '../types.d.ts'

export const ErrorBody = objectOf(() => ({
  error: Text,
  limitReached: z.optional(z.boolean()),
  resource: OptionalText,
  limit: z.optional(z.int()),
  current: z.optional(z.int()),
  transient: z.optional(z.boolean()),
}))
export type ErrorBody = types.ErrorBody
