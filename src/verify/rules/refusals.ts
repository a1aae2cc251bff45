// Rules of one kind: a request that is wrong in one way is refused.
import type { OperationId } from '../../contract/index.ts'
import type { Ask } from '../engine/client.ts'
import type { Context } from '../engine/context.ts'
import type { Rule, Source } from '../engine/rule.ts'

export interface Refused {
  readonly id: string
  readonly operation: OperationId
  readonly source: Source
  readonly says: string
  /** 400 unless given. */
  readonly status?: number
  readonly ask: (context: Context) => Ask | Promise<Ask>
}

/** Rules that writing alone could break: were the request not refused, it would change something. */
export const refusals = (refused: readonly Refused[]): Rule[] =>
  refused.map(({ ask, status = 400, ...rest }) => ({
    ...rest,
    needs: 'write',
    check: async (context) => context.api.expect(rest.operation, status, await ask(context)),
  }))
