// Turns tsc's declarations into plain ones: types inferred from zod schemas are written out, so that the published
// types need no library; only what the entries reach is kept.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import ts from 'typescript'
import { getOrInsert } from '../src/contract/data/maps.ts'
import { TypeText, type Name } from './type-text.ts'

type Declaration = ts.Statement
type Fate = 'keep' | 'write out' | 'drop'
interface Reference {
  readonly name: string
  readonly declarations: readonly Declaration[]
}

const isLibrary = (fileName: string) => fileName.includes('/node_modules/zod/')

/** Declarations by tsc of all that the entries import, in a folder that mirrors the sources. */
function emitDeclarations(root: string, entries: readonly string[], folder: string): void {
  const { config } = ts.readConfigFile(`${root}/tsconfig.json`, (path) => ts.sys.readFile(path)) as {
    config: object
  }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram(entries, {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    rootDir: root,
    outDir: folder,
  })
  const { diagnostics } = program.emit()
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, host(root)))
  cpSync(`${root}/src/contract/types.d.ts`, `${folder}/src/contract/types.d.ts`)
}

const host = (root: string): ts.FormatDiagnosticsHost => ({
  getCurrentDirectory: () => root,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
})

/** The declarations of a program, what each refers to, and what is to become of it. */
class Declarations {
  readonly program: ts.Program
  readonly checker: ts.TypeChecker
  readonly #folder: string
  readonly #references = new Map<Declaration, Reference[]>()
  readonly #usesLibrary = new Set<Declaration>()
  readonly #fates = new Map<Declaration, Fate>()
  readonly #names = new Map<ts.Type, Name>()
  readonly #schemaNames = new Map<string, Name[]>()

  constructor(folder: string, entries: readonly string[]) {
    this.#folder = folder
    this.program = ts.createProgram(entries, {
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      module: ts.ModuleKind.NodeNext,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      types: ['node'],
    })
    this.checker = this.program.getTypeChecker()
    for (const file of this.files()) for (const statement of file.statements) this.#read(statement)
    this.#decide()
    this.#nameTypes()
  }

  files(): ts.SourceFile[] {
    return this.program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(this.#folder))
  }

  fate(declaration: Declaration): Fate {
    return this.#fates.get(declaration) ?? 'keep'
  }

  references(declaration: Declaration): readonly Reference[] {
    return this.#references.get(declaration) ?? []
  }

  #read(statement: Declaration): void {
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) return
    const references: Reference[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isImportTypeNode(node) && node.argument.getText().includes('zod'))
        this.#usesLibrary.add(statement)
      if (ts.isIdentifier(node)) {
        const declarations = this.declarationsOf(node)
        if (declarations === 'library') this.#usesLibrary.add(statement)
        else if (declarations.length > 0) references.push({ name: node.text, declarations })
      }
      ts.forEachChild(node, visit)
    }
    ts.forEachChild(statement, visit)
    this.#references.set(
      statement,
      references.filter(({ declarations }) => !declarations.includes(statement)),
    )
  }

  /** The top-level declarations that a name stands for where it stands, or that it is the library's. */
  declarationsOf(node: ts.Identifier): readonly Declaration[] | 'library' {
    let symbol = this.checker.getSymbolAtLocation(node)
    if (!symbol) return []
    if (symbol.flags & ts.SymbolFlags.Alias) symbol = this.checker.getAliasedSymbol(symbol)
    const isValue = ts.isTypeQueryNode(node.parent) || ts.isExpressionWithTypeArguments(node.parent)
    const found: Declaration[] = []
    for (const declaration of symbol.declarations ?? []) {
      const { fileName } = declaration.getSourceFile()
      if (isLibrary(fileName)) return 'library'
      if (!fileName.startsWith(this.#folder) || ts.isSourceFile(declaration)) continue
      const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
      if (!ts.isStatement(statement) || !ts.isSourceFile(statement.parent)) continue
      const isType = ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)
      const isBoth = ts.isClassDeclaration(statement) || symbol.declarations?.length === 1
      const isExtended = ts.isExpressionWithTypeArguments(node.parent)
      if (isBoth || isExtended || isType !== isValue) found.push(statement)
    }
    return found
  }

  #decide(): void {
    // The part of a type that has a name would otherwise be written out as that name, within the type itself; what a
    // function returns would publish the function, and all that it takes.
    for (const statement of this.#references.keys())
      if (ts.isTypeAliasDeclaration(statement) && !statement.typeParameters)
        if (ts.isIndexedAccessTypeNode(statement.type) || statement.type.getText().includes('ReturnType<'))
          this.#fates.set(statement, 'write out')
    for (let isStable = false; !isStable;) {
      isStable = true
      for (const [statement, references] of this.#references) {
        if (this.fate(statement) !== 'keep') continue
        const isBound =
          this.#usesLibrary.has(statement) ||
          references.some(({ declarations }) => declarations.some((other) => this.fate(other) === 'drop'))
        if (!isBound) continue
        const isPlain =
          (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) &&
          statement.typeParameters === undefined &&
          !this.#holdsLibrary(this.checker.getTypeAtLocation(statement.name))
        this.#fates.set(statement, isPlain ? 'write out' : 'drop')
        isStable = false
      }
    }
  }

  #holdsLibrary(type: ts.Type, seen = new Set<ts.Type>()): boolean {
    if (seen.has(type)) return false
    seen.add(type)
    const at = type.symbol?.declarations?.[0]?.getSourceFile()
    const holds = (part: ts.Type) => this.#holdsLibrary(part, seen)
    if (type.isUnionOrIntersection()) return type.types.some(holds)
    if (!(type.flags & ts.TypeFlags.Object)) return false
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type))
      return this.checker.getTypeArguments(type as ts.TypeReference).some(holds)
    if (at && !at.fileName.startsWith(this.#folder) && !isLibrary(at.fileName)) return false
    if (type.getCallSignatures().some((signature) => holds(signature.getReturnType()))) return true
    return type
      .getProperties()
      .some((property) => property.name === '_zod' || holds(this.checker.getTypeOfSymbol(property)))
  }

  #nameTypes(): void {
    for (const file of this.files()) {
      for (const declaration of file.statements) {
        if (!ts.isTypeAliasDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) continue
        if (declaration.typeParameters || this.fate(declaration) === 'drop') continue
        if (!declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue
        const type = this.checker.getTypeAtLocation(declaration.name)
        const isStructured = type.isUnionOrIntersection() || (type.flags & ts.TypeFlags.Object) !== 0
        if (!isStructured || type.flags & ts.TypeFlags.Boolean || this.#names.has(type)) continue
        const named = { file: file.fileName, name: declaration.name.text, declaration }
        this.#names.set(type, named)
        if (!this.#isOfSchema(type)) continue
        const structure = this.#structureOf(type)
        getOrInsert(this.#schemaNames, structure, () => []).push(named)
      }
    }
  }

  /** The name of a type, or of one that a schema gives the same structure. */
  nameOf(type: ts.Type): Name | undefined {
    const named = this.#names.get(type)
    if (named || !this.#isOfSchema(type)) return named
    const alike = this.#schemaNames.get(this.#structureOf(type))
    return alike?.length === 1 ? alike[0] : undefined
  }

  #isOfSchema(type: ts.Type): boolean {
    if (!(type.flags & ts.TypeFlags.Object) || type.getProperties().length < 2) return false
    return type.symbol?.declarations?.some((at) => isLibrary(at.getSourceFile().fileName)) === true
  }

  #structureOf(type: ts.Type): string {
    const { NoTruncation, InTypeAlias } = ts.TypeFormatFlags
    return this.checker.typeToString(type, undefined, NoTruncation | InTypeAlias)
  }
}

export interface PlainOptions {
  readonly root: string
  /** Source files by the name of their entry. */
  readonly entries: Readonly<Record<string, string>>
  /** Where the plain declarations go, mirroring the sources. */
  readonly folder: string
  /** Documentation of a member that is written out and has none of its own. */
  readonly describe?: (declaration: string, member: string) => string | undefined
}

/** The declarations that the entries reach, by way of those that are kept or written out. */
class Reached {
  readonly #all: Declarations
  readonly #texts = new Map<Declaration, string>()
  readonly #imports = new Map<string, Map<string, Name>>()
  readonly #describe: PlainOptions['describe']

  constructor(all: Declarations, describe: PlainOptions['describe']) {
    this.#all = all
    this.#describe = describe
  }

  has(declaration: Declaration): boolean {
    return this.#texts.has(declaration)
  }

  text(declaration: Declaration): string {
    return this.#texts.get(declaration) ?? ''
  }

  /** Imports that what is written out into a file needs, by name. */
  addedImports(fileName: string): Map<string, Name> {
    return getOrInsert(this.#imports, fileName, () => new Map<string, Name>())
  }

  reach(declaration: Declaration): void {
    if (this.has(declaration)) return
    const fate = this.#all.fate(declaration)
    if (fate === 'drop') {
      const at = `${declaration.getSourceFile().fileName}: ${declaration.getText().slice(0, 80)}`
      throw new Error(`a public type is made of a schema, and cannot be written out: ${at}`)
    }
    this.#texts.set(declaration, declaration.getFullText())
    if (fate === 'write out') this.#texts.set(declaration, this.#writtenOut(declaration))
    else
      for (const { declarations } of this.#all.references(declaration))
        declarations.forEach((one) => this.reach(one))
  }

  #writtenOut(declaration: Declaration): string {
    if (!ts.isTypeAliasDeclaration(declaration) && !ts.isInterfaceDeclaration(declaration)) return ''
    const { fileName } = declaration.getSourceFile()
    const own = declaration.name.text
    const imports = this.addedImports(fileName)
    const type = this.#all.checker.getTypeAtLocation(declaration.name)
    const text = new TypeText({
      checker: this.#all.checker,
      nameOf: (type) => this.#all.nameOf(type),
      use: (name) => {
        this.reach(name.declaration)
        if (name.file !== fileName) imports.set(name.name, name)
        return name.name
      },
    }).structure(type)
    const isStructure = text.startsWith('{') && !type.isUnion()
    const body = isStructure ? `interface ${own} ${this.#described(own, text)}` : `type ${own} = ${text}`
    const docs = declaration.getFullText().slice(0, declaration.getLeadingTriviaWidth())
    return `${docs}export ${body}\n`
  }

  #described(declaration: string, text: string): string {
    const lines = text.split('\n')
    let depth = 0
    return lines
      .map((line, index) => {
        const member = depth === 1 ? /^(?:readonly )?(\w+)\??:/.exec(line)?.[1] : undefined
        depth += line.split('{').length - line.split('}').length
        const docs =
          member !== undefined && !lines[index - 1]?.endsWith('*/') && this.#describe?.(declaration, member)
        return docs ? `/** ${docs.replaceAll('*/', '* /')} */\n${line}` : line
      })
      .join('\n')
  }
}

/** Where a module specifier of a file leads, if it is a file of ours. */
function relativeSpecifier(from: string, to: string): string {
  const path = relative(dirname(from), to).replace(/\.d\.ts$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
}

function plainFile(file: ts.SourceFile, all: Declarations, reached: Reached): string | undefined {
  const kept = file.statements.filter((statement) => reached.has(statement)).map((one) => reached.text(one))
  const body = kept.join('\n')
  const words = new Set(body.match(/\b[A-Za-z_$][\w$]*\b/g))
  const links: string[] = []
  for (const statement of file.statements) {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier || !statement.exportClause) continue
    for (const word of statement.exportClause.getText().match(/\w+/g) ?? []) words.add(word)
  }
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) links.push(...keptImport(statement, words, all, reached))
    if (ts.isExportDeclaration(statement)) links.push(...keptExport(statement, all, reached))
  }
  const imports = links.filter((link) => link.startsWith('import'))
  const bound = new Set(imports.flatMap((link) => link.match(/\b[A-Za-z_$][\w$]*\b/g) ?? []))
  for (const { name, file: target } of reached.addedImports(file.fileName).values())
    if (!bound.has(name))
      links.push(`import type { ${name} } from '${relativeSpecifier(file.fileName, target)}'`)
  if (kept.length === 0 && links.length === 0) return undefined
  return `${links.join('\n')}\n${body}\nexport {}\n`
}

const sourceOf = (node: ts.ImportDeclaration | ts.ExportDeclaration) =>
  node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)
    ? node.moduleSpecifier.text.replace(/^(\..*)\.tsx?$/, '$1.js')
    : undefined

function isKept(name: ts.Identifier, all: Declarations, reached: Reached): boolean {
  const declarations = all.declarationsOf(name)
  if (declarations === 'library') return false
  return declarations.length === 0 || declarations.some((declaration) => reached.has(declaration))
}

function keptImport(
  statement: ts.ImportDeclaration,
  words: ReadonlySet<string>,
  all: Declarations,
  reached: Reached,
): string[] {
  const from = sourceOf(statement)
  const bindings = statement.importClause?.namedBindings
  if (from === undefined || from.startsWith('zod')) return []
  if (!bindings) return statement.importClause ? [statement.getText()] : []
  if (ts.isNamespaceImport(bindings)) return words.has(bindings.name.text) ? [statement.getText()] : []
  const names = bindings.elements
    .filter(({ name }) => words.has(name.text) && isKept(name, all, reached))
    .map((element) => element.getText())
  const kind = statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ? 'import type' : 'import'
  return names.length > 0 ? [`${kind} { ${names.join(', ')} } from '${from}'`] : []
}

function keptExport(statement: ts.ExportDeclaration, all: Declarations, reached: Reached): string[] {
  const clause = statement.exportClause
  const from = sourceOf(statement)
  if (!clause || !ts.isNamedExports(clause)) return from === undefined ? [] : [statement.getText()]
  const names = clause.elements
    .filter(({ name }) => ts.isIdentifier(name) && isKept(name, all, reached))
    .map((element) => element.getText())
  const kind = statement.isTypeOnly ? 'export type' : 'export'
  return names.length > 0
    ? [`${kind} { ${names.join(', ')} }${from === undefined ? '' : ` from '${from}'`}`]
    : []
}

/** Writes the plain declarations. @returns the files of the entries by name */
export function writePlainDeclarations({
  root,
  entries,
  folder,
  describe,
}: PlainOptions): Record<string, string> {
  const raw = `${folder}/raw`
  const plain = `${folder}/plain`
  rmSync(folder, { recursive: true, force: true })
  emitDeclarations(
    root,
    Object.values(entries).map((path) => `${root}/${path}`),
    raw,
  )
  const at = (base: string, path: string) => `${base}/${path.replace(/\.tsx?$/, '.d.ts')}`
  const all = new Declarations(
    `${raw}/`,
    Object.values(entries).map((path) => at(raw, path)),
  )
  const reached = new Reached(all, describe)
  for (const path of Object.values(entries)) {
    const file = all.program.getSourceFile(at(raw, path))
    const module = file && all.checker.getSymbolAtLocation(file)
    for (const symbol of module ? all.checker.getExportsOfModule(module) : []) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? all.checker.getAliasedSymbol(symbol) : symbol
      for (const declaration of target.declarations ?? []) {
        const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
        if (!ts.isStatement(statement) || !statement.getSourceFile().fileName.startsWith(raw)) continue
        // Of a schema and its type under one name, the type is the public one.
        if (target.declarations?.length === 1 || all.fate(statement) !== 'drop') reached.reach(statement)
      }
    }
    // What a module adds to the types of others holds without being named.
    for (const statement of file?.statements ?? [])
      if (ts.isModuleDeclaration(statement)) reached.reach(statement)
  }
  for (const file of all.files()) {
    const text = plainFile(file, all, reached)
    if (text === undefined) continue
    const path = `${plain}/${relative(raw, file.fileName)}`
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, at(plain, path)]))
}
