// Owns the making of foreign clients: generated from the document into a folder, type-checked and compiled there.
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import type { OpenApiDocument } from '../../src/openapi/index.ts'
import type { Start, Trail } from './clients/trail.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const journeys = fileURLToPath(new URL('clients/', import.meta.url))

export const clientNames = ['openapi-fetch', 'hey-api'] as const
export type ClientName = (typeof clientNames)[number]

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  rewriteRelativeImportExtensions: true,
  types: [],
}

/** Binary parts as blobs, which the generator leaves to its user. */
function blobs(schema: { readonly format?: string | undefined }): ts.TypeNode | undefined {
  if (schema.format !== 'binary') return undefined
  return ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob'))
}

async function generate(document: OpenApiDocument, folder: string): Promise<void> {
  const input = () => JSON.parse(JSON.stringify(document)) as Record<string, unknown>
  await mkdir(join(folder, 'generated'), { recursive: true })
  const types = await openapiTypescript(JSON.stringify(document), { transform: blobs })
  await writeFile(join(folder, 'generated', 'schema.ts'), astToString(types))
  await createClient({
    input: input(),
    output: { path: join(folder, 'generated', 'sdk'), module: { extension: '.ts' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  })
}

export interface GeneratedClients {
  /** What the compiler says, one line each. */
  readonly diagnostics: readonly string[]
  journey(client: ClientName, start: Start): Promise<Trail>
  remove(): Promise<void>
}

/** Generates both clients and compiles them with the journeys that use them; nothing is fetched. */
export async function generateClients(document: OpenApiDocument): Promise<GeneratedClients> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-clients-'))
  await generate(document, folder)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const sources = await readdir(journeys)
  for (const source of sources) await copyFile(join(journeys, source), join(folder, source))
  const outDir = join(folder, 'out')
  const program = ts.createProgram(
    sources.map((source) => join(folder, source)),
    { ...compilerOptions, rootDir: folder, outDir },
  )
  const { diagnostics } = program.emit()
  const host = {
    getCanonicalFileName: (name: string) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => '\n',
  }
  return {
    diagnostics: [...ts.getPreEmitDiagnostics(program), ...diagnostics].map((diagnostic) =>
      ts.formatDiagnostic(diagnostic, host),
    ),
    journey: async (client, start) => {
      const module = pathToFileURL(join(outDir, `${client}.js`)).href
      const { journey } = (await import(/* @vite-ignore */ module)) as {
        journey: (at: Start) => Promise<Trail>
      }
      return journey(start)
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
