// Renders coverage as a self-contained HTML page.
import { countText } from '../../contract/text/format.ts'
import type { CoverageReport, OperationCoverage, OutcomeCoverage } from '../../mock/journal/coverage.ts'
import { isMet, toOutcomeLine, whenOf, type WriteStep } from './lines.ts'
import { figuresOf, formatFigure } from './text.ts'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? character)

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
details { border-top: 1px solid #8885; padding: .4rem 0 }
summary { cursor: pointer; display: flex; gap: 1rem; flex-wrap: wrap }
summary b { min-width: 14rem }
table { border-collapse: collapse; margin: .5rem 0 1rem; width: 100% }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top }
th { font-weight: 600 }
td.count { text-align: right; font-variant-numeric: tabular-nums }
.status { border-radius: .3rem; padding: 0 .4rem; background: #8883 }
.met { background: #1a7f3733 }
code { font-size: .9em }
`

function toOutcomeRow(
  operation: OperationCoverage['operation'],
  outcome: OutcomeCoverage,
  write?: WriteStep,
): string {
  const { status, case: kind, natural, byFault } = outcome
  const line = isMet(outcome) ? '' : `<code>${escapeHtml(toOutcomeLine(operation, kind, write))}</code>`
  return `<tr><td><span class="status${isMet(outcome) ? ' met' : ''}">${String(status)}</span></td><td>${kind}</td>
<td>${escapeHtml(whenOf(kind))}</td><td class="count">${String(natural)}</td><td class="count">${String(byFault)}</td><td>${line}</td></tr>`
}

function toOperationPart({ operation, requests, outcomes }: OperationCoverage, write?: WriteStep): string {
  const met = outcomes.filter(isMet)
  const marks = outcomes.map(
    (outcome) =>
      `<span class="status${isMet(outcome) ? ' met' : ''}" title="${outcome.case}">${String(outcome.status)}</span>`,
  )
  return `<details><summary><b>${operation}</b><span>${countText(requests, 'request')}, ${String(met.length)} of ${countText(outcomes.length, 'outcome')}</span><span>${marks.join(' ')}</span></summary>
<table><thead><tr><th>status</th><th>case</th><th>returned when</th><th>natural</th><th>by a fault</th><th>how to produce it</th></tr></thead>
<tbody>${outcomes.map((outcome) => toOutcomeRow(operation, outcome, write)).join('\n')}</tbody></table></details>`
}

export function renderCoveragePage(report: CoverageReport, write?: WriteStep): string {
  const { operations, outcomes, natural } = figuresOf(report)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API coverage</title>
<style>${style}</style>
</head>
<body>
<h1>API coverage</h1>
<p>${formatFigure(operations)} operations called, ${formatFigure(outcomes)} documented outcomes hit, ${String(natural)} of them without a fault.</p>
${report.operations.map((operation) => toOperationPart(operation, write)).join('\n')}
</body>
</html>
`
}
