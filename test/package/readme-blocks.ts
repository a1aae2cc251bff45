// Owns how code is taken out of the README.
import { readFileSync } from 'node:fs'

export interface Block {
  readonly language: string
  /** What follows the language on the line that opens the block. */
  readonly info: string
  readonly code: string
  /** The heading above it. */
  readonly heading: string
  /** Where it starts. */
  readonly line: number
}

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The fenced blocks, in order. */
export function readmeBlocks(): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let open: { language: string; info: string; line: number; code: string[] } | undefined
  readme.split('\n').forEach((text, index) => {
    const fence = /^```(\w*) ?(.*)$/.exec(text)
    if (open && text === '```') {
      blocks.push({ ...open, code: `${open.code.join('\n')}\n`, heading })
      open = undefined
    } else if (open) open.code.push(text)
    else if (fence) open = { language: fence[1] ?? '', info: fence[2] ?? '', line: index + 1, code: [] }
    else if (text.startsWith('#')) heading = text.replace(/^#+ /, '')
  })
  return blocks
}

/** The first block under a heading in a language. */
export function readmeBlock(heading: string, language: string): string {
  const block = readmeBlocks().find((one) => one.heading === heading && one.language === language)
  if (!block) throw new Error(`the README has no ${language} block under ${heading}`)
  return block.code
}
