// Provides what commander asks `require` for, because a module has no `require`. Importing it instead would read every
// export of Node's modules, some of which load others, and child_process only serves subcommands in separate files, which we
// do not have. Together that would take a tenth of the start.
import type { Plugin } from 'rolldown'

export const commanderModules: Plugin = {
  name: 'commander-modules',
  resolveId(id, importer = '') {
    if (!id.startsWith('node:')) return null
    return importer.includes('/commander/') ? `\0${id}` : { id, external: true }
  },
  load(id) {
    if (!id.startsWith('\0node:')) return null
    const name = id.slice(1)
    return `module.exports = ${name === 'node:child_process' ? '{}' : `process.getBuiltinModule('${name}')`}`
  },
}
