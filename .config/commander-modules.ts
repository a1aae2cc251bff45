// What commander asks `require` for, which a module does not have. An import of it would ask for every export of Node's
// modules, some of which load further ones, and child_process serves commands in files of their own, of which there are none:
// together a tenth of the time to start.
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
