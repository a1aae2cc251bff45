// Extracts the code from the pages of the documentation.
import { readFileSync } from 'node:fs'
import { pages } from '../../../.config/pages.ts'

export interface Block {
  readonly language: string
  /** The text after the language on the line that opens the block. */
  readonly info: string
  readonly code: string
  /** The heading above it. */
  readonly heading: string
  /** The path of its page, and its first line. */
  readonly page: string
  readonly line: number
}

const root = new URL('../../../', import.meta.url)

/** The fenced blocks of every page, in order. */
export const readmeBlocks = (): Block[] => pages.flatMap(blocksOf)

function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let open: { language: string; info: string; line: number; code: string[] } | undefined
  readFileSync(new URL(page, root), 'utf8')
    .split('\n')
    .forEach((text, index) => {
      const fence = /^```(\w*) ?(.*)$/.exec(text)
      if (open && text === '```') {
        blocks.push({ ...open, code: `${open.code.join('\n')}\n`, heading, page })
        open = undefined
      } else if (open) open.code.push(text)
      else if (fence) open = { language: fence[1] ?? '', info: fence[2] ?? '', line: index + 1, code: [] }
      else if (text.startsWith('#')) heading = text.replace(/^#+ /, '')
    })
  return blocks
}

/** The first block in a language under a heading. */
export function readmeBlock(heading: string, language: string): string {
  const block = readmeBlocks().find((one) => one.heading === heading && one.language === language)
  if (!block) throw new Error(`no page has a ${language} block under ${heading}`)
  return block.code
}

/** A file name for a block. */
export const fileOf = ({ page, line }: Block) =>
  `${page.replace(/\/?README\.md$/, '').replaceAll(/\W+/g, '-') || 'readme'}-${String(line)}`
