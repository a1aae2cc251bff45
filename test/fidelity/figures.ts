// The fidelity figures, as stored in the repository and shown on the page.
import { readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'

const file = new URL('figures.json', import.meta.url)

const Count = z.int().check(z.gte(0))
const Mutation = z.object({
  /** The day of the run. */
  date: z.string(),
  /** Percentage of mutants that a test detected. */
  score: z.number(),
  killed: Count,
  survived: Count,
})
export type Mutation = z.infer<typeof Mutation>

const Figures = z.object({
  /** Numbers covered and in total, by name. */
  covered: z.record(z.string(), z.tuple([Count, Count])),
  counted: z.record(z.string(), Count),
  mutation: z.nullable(Mutation),
})
export type Figures = z.infer<typeof Figures>

export function readFigures(): Figures {
  return Figures.parse(JSON.parse(readFileSync(file, 'utf8')))
}

export function writeFigures(figures: Figures): void {
  writeFileSync(file, `${JSON.stringify(Figures.parse(figures), null, 2)}\n`)
}

/** The figures as lines of name and value. */
export function figureLines({ covered, counted, mutation }: Figures): [name: string, value: string][] {
  const number = (value: number) => value.toLocaleString('en')
  return [
    ...Object.entries(covered).map(([name, [some, all]]): [string, string] => [
      name,
      `${number(some)} of ${number(all)}`,
    ]),
    ...Object.entries(counted).map(([name, value]): [string, string] => [name, number(value)]),
    ...(mutation
      ? [
          [
            'mutation score of rows, resources and dispatch',
            `${mutation.score.toFixed(1)}%: ${number(mutation.killed)} of ${number(mutation.killed + mutation.survived)} mutants detected (${mutation.date})`,
          ] as [string, string],
        ]
      : []),
  ]
}
