// The oldest supported Node version. Imports nothing, since an older Node could lack what an import needs.

const oldest = [20, 19] as const

interface Platform {
  readonly process?: { readonly versions?: Readonly<Record<string, string | undefined>> }
}

/** The error message for a Node that is too old. Bun and Deno report the Node version they emulate; a page has none. */
export function findNodeVersionProblem({ process }: Platform = globalThis): string | undefined {
  const { node, bun, deno } = process?.versions ?? {}
  if (node === undefined || bun !== undefined || deno !== undefined) return undefined
  const [major = 0, minor = 0] = node.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined
  return `workspace-api-mock needs Node ${oldest.join('.')} or newer; this is Node ${node}`
}
