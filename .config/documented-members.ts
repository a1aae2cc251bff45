// Reads members with their documentation, for tables of the README.
import { readFileSync } from 'node:fs'
import ts from 'typescript'

export interface Member {
  readonly name: string
  /** Of a method the names of its parameters, of anything else its type, as written. */
  readonly type: string
  readonly isMethod: boolean
  /** The documentation up to its first tag or where it is from, on one line. */
  readonly says: string
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

type Declared = ts.TypeElement | ts.ObjectLiteralElementLike

function saysOf(member: Declared): string {
  const [doc] = ts.getJSDocCommentsAndTags(member).filter((node) => ts.isJSDoc(node))
  const text = oneLine(ts.getTextOfJSDocComment(doc?.comment) ?? '').replace(/ (?:Assumption|Source): .*/, '')
  if (text === '') throw new Error(`${member.name?.getText() ?? 'a member'} has no documentation`)
  return text
}

const isDocumented = (member: ts.Node) => ts.getJSDocCommentsAndTags(member).length > 0

/** The members of an interface, or of what the last statement of a function returns. */
function membersOf(statement: ts.Statement, name: string): readonly Declared[] | undefined {
  if (ts.isInterfaceDeclaration(statement) && statement.name.text === name) return [...statement.members]
  if (!ts.isFunctionDeclaration(statement) || statement.name?.text !== name) return undefined
  const last = statement.body?.statements.at(-1)
  const made = last && ts.isReturnStatement(last) ? last.expression : undefined
  // What has no documentation there has that of an interface.
  return made && ts.isObjectLiteralExpression(made) ? made.properties.filter(isDocumented) : undefined
}

/**
 * The members of an interface of a source of this package, or of the object that a function returns, in order; `group`
 * goes ahead of their names.
 */
export function documentedMembers(path: string, name: string, group = ''): Member[] {
  const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  const members = source.statements.map((statement) => membersOf(statement, name)).find(Boolean)
  if (!members) throw new Error(`${path} has no interface or object ${name}`)
  return members.map((member) => {
    const isMethod = ts.isMethodSignature(member)
    const type = isMethod
      ? `(${member.parameters.map(({ name, questionToken }) => name.getText() + (questionToken ? '?' : '')).join(', ')})`
      : ts.isPropertySignature(member)
        ? (member.type?.getText() ?? '')
        : ''
    return {
      name: group + (member.name?.getText() ?? ''),
      type: oneLine(type),
      isMethod,
      says: saysOf(member),
    }
  })
}
