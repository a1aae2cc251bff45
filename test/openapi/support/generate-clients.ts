// Generates clients from the document into a folder, and type-checks and compiles them there.
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import type { OpenApiDocument } from '../../../src/openapi.ts'
import type { Start, Trail } from './trail.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const here = fileURLToPath(new URL('../', import.meta.url))

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
  skipLibCheck: true,
  types: [],
}

/** Represents binary parts as blobs, which the generator leaves to its users. */
function blobs(schema: { readonly format?: string | undefined }): ts.TypeNode | undefined {
  if (schema.format !== 'binary') return undefined
  return ts.factory.createTypeReferenceNode(ts.factory.createIdentifier('Blob'))
}

async function generate(document: OpenApiDocument, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const text = JSON.stringify(document)
  const types = await openapiTypescript(text, { transform: blobs })
  await writeFile(join(folder, 'schema.ts'), astToString(types))
  await createClient({
    input: JSON.parse(text) as Record<string, unknown>,
    output: { path: join(folder, 'sdk'), module: { extension: '.ts' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  })
}

/** @returns the sources of the journeys, next to the generated ones */
async function layOut(document: OpenApiDocument, folder: string): Promise<string[]> {
  await generate(document, join(folder, 'clients', 'generated'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const sources = ['support/trail.ts', ...clientNames.map((name) => `clients/${name}.ts`)]
  await mkdir(join(folder, 'support'))
  for (const source of sources) await copyFile(join(here, source), join(folder, source))
  return sources.map((source) => join(folder, source))
}

const diagnosticsHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
}

export interface GeneratedClients {
  /** The compiler's messages, one line each. */
  readonly diagnostics: readonly string[]
  journey(client: ClientName, start: Start): Promise<Trail>
  remove(): Promise<void>
}

/** Generates both clients and compiles them with the journeys that use them. Works offline. */
export async function generateClients(document: OpenApiDocument): Promise<GeneratedClients> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-clients-'))
  const outDir = join(folder, 'out')
  const program = ts.createProgram(await layOut(document, folder), {
    ...compilerOptions,
    rootDir: folder,
    outDir,
  })
  const diagnostics = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics]
  return {
    diagnostics: diagnostics.map((diagnostic) => ts.formatDiagnostic(diagnostic, diagnosticsHost)),
    journey: async (client, start) => {
      const module = pathToFileURL(join(outDir, 'clients', `${client}.js`)).href
      const { journey } = (await import(/* @vite-ignore */ module)) as {
        journey: (at: Start) => Promise<Trail>
      }
      return journey(start)
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
