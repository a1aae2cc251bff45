// Command `questions`: prints the register of open questions.
import { Help } from 'commander'
import { questionRecords, type QuestionRecord } from '../../contract/questions/register.ts'
import { applyStyle, print } from './terminal.ts'

function wrapParagraph(text: string, indent: number, width: number, first = ' '.repeat(indent)): string[] {
  const wrapped = new Help().boxWrap(text, width - indent)
  return (first + wrapped.replaceAll('\n', `\n${' '.repeat(indent)}`)).split('\n')
}

function formatMeanings({ meanings, fixed }: QuestionRecord, width: number): string[] {
  return meanings.flatMap(({ answer, meaning }, index) => {
    if (fixed) return wrapParagraph(`${applyStyle('dim', 'fixed:')} ${meaning}`, 6, width, '    * ')
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    const label = wrapParagraph(text, 6, width, index === 0 ? '    * ' : '      ')
    return [...label.map((line) => applyStyle('cyan', line)), ...wrapParagraph(meaning, 10, width)]
  })
}

function formatQuestions(records: readonly QuestionRecord[], width: number): string {
  const parts = [...new Set(records.map(({ part }) => part))]
  const lines = parts.flatMap((part) => [
    applyStyle('underline', part),
    '',
    ...records
      .filter((record) => record.part === part)
      .flatMap((record) => [
        `  ${applyStyle('bold', record.id)}  ${applyStyle('dim', `(${record.source})`)}`,
        ...wrapParagraph(record.notShown, 4, width),
        ...formatMeanings(record, width),
        '',
      ]),
  ])
  const switchable = records.filter(({ fixed }) => !fixed).length
  const total = `${String(records.length)} questions, ${String(switchable)} of them with other answers.`
  return `${[...lines, `${total} * marks the default; serve --answers FILE sets others.`].join('\n')}\n`
}

export function printQuestions(json: boolean): void {
  const records = questionRecords()
  const width = Math.min(100, Math.max(60, process.stdout.columns || 100))
  print(json ? `${JSON.stringify({ questions: records }, null, 2)}\n` : formatQuestions(records, width))
}
