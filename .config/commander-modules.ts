// Provides the modules that commander gets with `require`, which ES modules lack. Importing them instead would read
// every export of Node's modules, and would load child_process, which only subcommands in separate files need. That
// would take a tenth of the startup time.
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
