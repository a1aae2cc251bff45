// Runs scripts in fresh processes and reads what they print.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageFolder } from '../package.ts'

/** Runs a script in a fresh process and reads the number it prints. */
export function printed(script: string, ...flags: string[]): number {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...flags, '--input-type=module', '--eval', script],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  return Number(stdout)
}

/** An entry of the package, as the specifier of an import in a script. */
export const packageEntry = (name: string): string =>
  JSON.stringify(pathToFileURL(join(packageFolder(), name)).href)

/** Writes a fixture next to the package. @returns the expression with which a script reads it */
export function fixtureFile(name: string, fixture: unknown): string {
  const path = join(packageFolder(), `${name}.json`)
  writeFileSync(path, JSON.stringify(fixture))
  return `JSON.parse(readFileSync(${JSON.stringify(path)}, 'utf8'))`
}
