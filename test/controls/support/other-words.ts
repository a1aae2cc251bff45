// Loads the sources with every sentence replaced, to find code that depends on one.
import ts from 'typescript'
import { createServer, type Plugin, type ViteDevServer } from 'vite'

const root = new URL('../../../', import.meta.url).pathname

/** Replaces a letter with another, so that different sentences stay different. */
const otherLetter = (letter: string) => String.fromCharCode(97 + ((letter.charCodeAt(0) - 97 + 13) % 26))

/** As written in a source file, with escapes unchanged. */
const otherWords = (written: string) =>
  written.replace(/\\(?:u\{[^}]*\}|u.{4}|x..|.)|[a-z]/gs, (part) =>
    part.length > 1 ? part : otherLetter(part),
  )

const isSentence = (text: string) => /[a-z]{2} [a-z]{2}/.test(text)

/** The texts in a source file: string literals, and the parts of templates between values. */
function textsOf(source: ts.SourceFile): readonly ts.Node[] {
  const texts: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      if (isSentence(node.text)) texts.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts
}

function withOtherWords(code: string, path: string): string {
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.ES2023, true)
  let changed = code
  for (const text of textsOf(source).toReversed()) {
    const start = text.getStart(source)
    changed = changed.slice(0, start) + otherWords(text.getText(source)) + changed.slice(text.end)
  }
  return changed
}

/** Starts a server of this package's modules with their sentences replaced. */
export function serveOtherWords(): Promise<ViteDevServer> {
  const plugin: Plugin = {
    name: 'other-words',
    enforce: 'pre',
    transform: (code, id) =>
      id.startsWith(`${root}src/`) && /\.tsx?$/.test(id) ? withOtherWords(code, id) : undefined,
  }
  return createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    plugins: [plugin],
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
}
