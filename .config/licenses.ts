// Finds which third-party code is in the build, and writes the licence texts that are published with it.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string
}

/** Licences that may be bundled into a package under MIT. */
export const allowedLicenses: readonly string[] = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
]

/** The folder of the package that a file belongs to; undefined for our own files. */
function packageFolder(path: string): string | undefined {
  if (!path.includes('/node_modules/')) return undefined
  for (let folder = dirname(path); folder.includes('/node_modules/'); folder = dirname(folder)) {
    const manifest = `${folder}/package.json`
    if (!existsSync(manifest)) continue
    const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest
    if (name !== undefined && version !== undefined) return folder
  }
  return undefined
}

function licenseText(folder: string): string {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.|$)/i.test(name))
  return file === undefined ? '' : readFileSync(`${folder}/${file}`, 'utf8').trim()
}

/**
 * The licences of the packages that modules were bundled from, as one text.
 * @throws {Error} if a package has no licence, or one that is not allowed
 */
export function thirdPartyLicenses(moduleIds: readonly string[], ownFolder: string): string {
  const folders = new Set(
    moduleIds.filter((id) => !id.startsWith(ownFolder)).flatMap((id) => packageFolder(id) ?? []),
  )
  const entries = [...folders].map((folder) => {
    const {
      name = folder,
      version = '',
      license = 'no licence',
    } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest
    if (!allowedLicenses.includes(license))
      throw new Error(`${name} is under ${license}, which must not be bundled`)
    return `${name} ${version}\nLicence: ${license}\n\n${licenseText(folder)}\n`
  })
  const rule = `\n${'-'.repeat(72)}\n\n`
  return ['Third-party code in this package.\n', ...entries.sort()].join(rule)
}
