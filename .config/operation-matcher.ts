// Generates the code that finds the operation for a method and path, with rou3's compiler.
import { addRoute, createRouter } from 'rou3'
import { compileRouterToString } from 'rou3/compiler'
import { operationList } from '../src/contract/index.ts'
import { toRouterPath } from '../src/contract/operation.ts'

const intro = `// Generated from the operations' declarations by \`npm run generate\`, with rou3's compiler. The compiled router takes a
// quarter of the time per request, and is not built at startup.
/* eslint-disable */
import { operations, type OperationId } from '../../contract/index.ts'
import type { OperationSpec } from '../../contract/operation.ts'

interface Match {
  readonly data: OperationSpec & { readonly id: OperationId }
  readonly params?: Readonly<Record<string, string>>
}

`

export function operationMatcher(): string {
  const router = createRouter<string>()
  for (const { id, method, path } of operationList)
    addRoute(router, method, toRouterPath(path), `operations.${id}`)
  const code = compileRouterToString(router, { serialize: String })
  return `${intro}export const matchOperation: (method: string, path: string) => Match | undefined = ${code}\n`
}
