// The pact's location, and the state that each interaction starts from, which the recorder cannot know.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const consumer = 'board'
export const provider = 'workspace-api'
export const pactFolder = fileURLToPath(new URL('pacts', import.meta.url))
export const pactFile = join(pactFolder, `${consumer}-${provider}.json`)

/** The refusal of a job needs a plan without jobs; everything else starts from the demo data. */
const stateOf = ({ response }) =>
  response.body?.resource === 'bulkRowsPerJob' ? 'a plan without jobs' : 'the demo data'

/** Matches by type: values such as ids and times may differ. */
const byType = { '$.body': { match: 'type' } }

export function writePact(_, pact) {
  const interactions = pact.interactions.map(({ providerState, ...interaction }) => ({
    ...interaction,
    providerState: stateOf(interaction),
    response: { ...interaction.response, matchingRules: byType },
  }))
  mkdirSync(dirname(pactFile), { recursive: true })
  writeFileSync(pactFile, JSON.stringify({ ...pact, interactions }, null, 2))
}
