// Resolves `import text from './x.css?inline'` like Vite: to the minified text of the style sheet, with its imports.
import { dirname, resolve } from 'node:path'
import { bundle } from 'lightningcss'

export const inlineCss = {
  name: 'inline-css',
  resolveId: (id: string, importer: string | undefined) =>
    id.endsWith('.css?inline') && importer !== undefined ? resolve(dirname(importer), id) : undefined,
  load: (id: string) =>
    id.endsWith('.css?inline')
      ? {
          code: `export default ${JSON.stringify(bundle({ filename: id.replace('?inline', ''), minify: true }).code.toString())}`,
          moduleType: 'js' as const,
        }
      : undefined,
}
