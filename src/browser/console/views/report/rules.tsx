// The rules that are checked, with how often each was broken.
import { useEffect, useRef } from 'preact/hooks'
import { clientRules, type RuleId } from '../../../../contract/client-rules.ts'
import type { Finding } from '../../../../core/report.ts'
import { timesText } from '../../format.ts'
import { useViewState } from '../../parts/context.ts'
import { Mark, toneOfSeverity } from '../../parts/blocks.tsx'

export const sumOf = (findings: readonly Finding[]) => findings.reduce((sum, { count }) => sum + count, 0)

export function Rules({ findings }: { readonly findings: readonly Finding[] }) {
  const [open] = useViewState('rule')
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => shown.current?.scrollIntoView({ block: 'center' }), [open])
  return (
    <details class="rules" open={open !== ''}>
      <summary>{Object.keys(clientRules).length} rules are checked</summary>
      <dl>
        {Object.entries(clientRules).map(([id, { severity, condition, advice, source }]) => {
          const broken = sumOf(findings.filter(({ rule }) => rule === (id as RuleId)))
          return (
            <div key={id} class={id === open ? 'is-open' : ''} ref={id === open ? shown : null}>
              <dt>
                <Mark tone={toneOfSeverity[severity]}>{id}</Mark>
              </dt>
              <dd>
                {condition} {advice}{' '}
                <span class="aside">
                  Contract: {source}.{broken > 0 && ` Broken ${timesText(broken)}.`}
                </span>
              </dd>
            </div>
          )
        })}
      </dl>
    </details>
  )
}
