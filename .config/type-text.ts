// Writes a type of the checker out as plain TypeScript: names where there are exported ones, structure elsewhere.
import ts from 'typescript'

/** An exported type. */
export interface Name {
  readonly file: string
  readonly name: string
  readonly declaration: ts.Statement
}

export interface TypeTextOptions {
  readonly checker: ts.TypeChecker
  /** The exported name of a type, if it has one. */
  nameOf(type: ts.Type): Name | undefined
  /** How a name is written where the text stands. */
  use(name: Name): string
}

const outsideSources = /\/node_modules\/(?:typescript|@types\/node|msw|openapi-types)\//

const isOutside = (symbol: ts.Symbol | undefined) =>
  symbol?.declarations?.some((declaration) => outsideSources.test(declaration.getSourceFile().fileName)) ===
  true

const propertyName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

function comment(text: string): string {
  if (text === '') return ''
  const lines = text.split('\n')
  return lines.length === 1
    ? `/** ${text} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`
}

export class TypeText {
  readonly #options: TypeTextOptions
  readonly #open = new Set<ts.Type>()

  constructor(options: TypeTextOptions) {
    this.#options = options
  }

  /** The structure of a type, its own name left aside. */
  structure(type: ts.Type): string {
    if (this.#open.has(type))
      throw new Error(
        `a type without an exported name refers to itself: ${this.#options.checker.typeToString(type)}`,
      )
    this.#open.add(type)
    try {
      return this.#written(type)
    } finally {
      this.#open.delete(type)
    }
  }

  #text(type: ts.Type): string {
    const name = this.#options.nameOf(type)
    return name ? this.#options.use(name) : this.structure(type)
  }

  #written(type: ts.Type): string {
    const { checker } = this.#options
    if (type.isStringLiteral() || type.isNumberLiteral()) return JSON.stringify(type.value)
    if (type.flags & ts.TypeFlags.Boolean) return 'boolean'
    if (type.aliasSymbol && isOutside(type.aliasSymbol) && type.aliasTypeArguments)
      return this.#reference(type.aliasSymbol.name, type.aliasTypeArguments)
    if (type.isUnion()) return this.#union(type)
    if (type.isIntersection()) return type.types.map((part) => this.#operand(part)).join(' & ')
    if (type.flags & ts.TypeFlags.Object) return this.#object(type as ts.ObjectType)
    return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
  }

  #reference(name: string, typeArguments: readonly ts.Type[]): string {
    if (typeArguments.length === 0) return name
    return `${name}<${typeArguments.map((argument) => this.#text(argument)).join(', ')}>`
  }

  #union(type: ts.UnionType): string {
    const { checker, nameOf, use } = this.#options
    const present = checker.getNonNullableType(type)
    const absent = type.types.filter((part) => part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null))
    const name = present === type ? undefined : nameOf(present)
    const isBoolean = (part: ts.Type) => (part.flags & ts.TypeFlags.BooleanLiteral) !== 0
    const parts = type.types.filter((part) => !absent.includes(part))
    const both = parts.filter(isBoolean).length === 2
    const shown = both ? parts.filter((part) => !isBoolean(part)) : parts
    const texts = name
      ? [use(name)]
      : [...shown.map((part) => this.#operand(part)), ...(both ? ['boolean'] : [])]
    return [...new Set([...texts, ...absent.map((part) => this.#text(part)).sort()])].join(' | ')
  }

  /** In parentheses where it would otherwise bind wrongly. */
  #operand(type: ts.Type): string {
    const text = this.#text(type)
    if (/^\w+$/.test(text)) return text
    return type.getCallSignatures().length > 0 || type.isUnion() || type.isIntersection() ? `(${text})` : text
  }

  #object(type: ts.ObjectType): string {
    const { checker } = this.#options
    const typeArguments = checker.getTypeArguments(type as ts.TypeReference)
    if (checker.isTupleType(type)) {
      const { readonly: isReadonly } = (type as ts.TupleTypeReference).target
      return `${isReadonly ? 'readonly ' : ''}[${typeArguments.map((part) => this.#text(part)).join(', ')}]`
    }
    if (checker.isArrayType(type)) {
      const item = typeArguments[0] ? this.#operand(typeArguments[0]) : 'unknown'
      return `${type.symbol.name === 'ReadonlyArray' ? 'readonly ' : ''}${item}[]`
    }
    if (isOutside(type.symbol) && type.symbol.name !== '__type')
      return this.#reference(type.symbol.name, typeArguments)
    const [signature, ...others] = type.getCallSignatures()
    if (signature && others.length === 0 && type.getProperties().length === 0)
      return this.#function(signature, ' => ')
    return this.#members(type)
  }

  #function(signature: ts.Signature, arrow: string): string {
    const { checker } = this.#options
    const parameters = signature.getParameters().map((parameter) => {
      const declaration = parameter.valueDeclaration
      const optional = declaration && ts.isParameter(declaration) && checker.isOptionalParameter(declaration)
      return `${parameter.name}${optional ? '?' : ''}: ${this.#text(checker.getTypeOfSymbol(parameter))}`
    })
    return `(${parameters.join(', ')})${arrow}${this.#text(signature.getReturnType())}`
  }

  #members(type: ts.ObjectType): string {
    const { checker } = this.#options
    const node = checker.typeToTypeNode(
      type,
      undefined,
      ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.InTypeAlias | ts.NodeBuilderFlags.IgnoreErrors,
    )
    const nodes = new Map<string, ts.TypeElement>()
    if (node && ts.isTypeLiteralNode(node))
      for (const member of node.members)
        if (member.name && 'text' in member.name) nodes.set(member.name.text, member)
    const members = type.getProperties().map((property) => this.#property(property, nodes.get(property.name)))
    const indexes = checker.getIndexInfosOfType(type).map(({ keyType, type: value, isReadonly }) => {
      return `${isReadonly ? 'readonly ' : ''}[key: ${this.#text(keyType)}]: ${this.#text(value)}`
    })
    const all = [...members, ...indexes]
    return all.length === 0 ? '{}' : `{\n${all.join('\n')}\n}`
  }

  #property(property: ts.Symbol, node: ts.TypeElement | undefined): string {
    const { checker } = this.#options
    const docs = comment(ts.displayPartsToString(property.getDocumentationComment(checker)))
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
    const type = checker.getTypeOfSymbol(property)
    const signature = type.getCallSignatures()[0]
    const name = `${propertyName(property.name)}${isOptional ? '?' : ''}`
    if (property.flags & ts.SymbolFlags.Method && signature)
      return `${docs}${name}${this.#function(signature, ': ')}`
    const signatureNode = node && ts.isPropertySignature(node) ? node : undefined
    const declared = property.valueDeclaration
    const isReadonly = signatureNode
      ? signatureNode.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword) === true
      : declared !== undefined && (ts.getCombinedModifierFlags(declared) & ts.ModifierFlags.Readonly) !== 0
    const admitsUndefined =
      signatureNode?.type !== undefined &&
      ts.isUnionTypeNode(signatureNode.type) &&
      signatureNode.type.types.some(({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword)
    let text = this.#text(type)
    if (isOptional) {
      text = text.replace(/ \| undefined$/, '')
      if (admitsUndefined) text += ' | undefined'
    }
    return `${docs}${isReadonly ? 'readonly ' : ''}${name}: ${text}`
  }
}
