// Reads an interface's members with their documentation, for tables of the README.
import { readFileSync } from 'node:fs'
import ts from 'typescript'

export interface Member {
  readonly name: string
  /** Of a method its parameters, of anything else its type, as written. */
  readonly type: string
  readonly isMethod: boolean
  /** The documentation up to its first tag or where it is from, on one line. */
  readonly says: string
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

function saysOf(member: ts.TypeElement): string {
  const [doc] = ts.getJSDocCommentsAndTags(member).filter((node) => ts.isJSDoc(node))
  const text = oneLine(ts.getTextOfJSDocComment(doc?.comment) ?? '').replace(/ (?:Assumption|Source): .*/, '')
  if (text === '') throw new Error(`${member.name?.getText() ?? 'a member'} has no documentation`)
  return text
}

/** The members of an interface of a source of this package, in order; `group` goes ahead of their names. */
export function interfaceMembers(path: string, name: string, group = ''): Member[] {
  const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  const found = source.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  )
  if (!found) throw new Error(`${path} has no interface ${name}`)
  return found.members.map((member) => {
    const isMethod = ts.isMethodSignature(member)
    const type = isMethod
      ? `(${member.parameters.map((parameter) => parameter.getText()).join(', ')})`
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
