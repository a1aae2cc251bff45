// Parameters of operations: path, query, and the open set of column filters.
import type { OpenAPIV3_1 } from 'openapi-types'
import {
  listPathParameters,
  type IntegerParameter,
  type OperationSpec,
  type StringParameter,
} from '../../contract/operation.ts'
import type { Answers } from '../../contract/questions/register.ts'
import type { Example } from './examples.ts'
import type { ProvenanceExtension } from './types.ts'

export type Parameter = OpenAPIV3_1.ParameterObject & ProvenanceExtension

/** What a path id refers to, if the parameter's name does not say. */
const referents: Readonly<Record<string, string>> = {
  tableId: 'datatable',
  entryId: 'time entry',
  attachmentId: 'file',
}

/** Values below the minimum are refused or ignored. Assumption: limitAboveMax */
export function toIntegerSchema(
  { minimum, maximum, default: initial }: IntegerParameter,
  { limitAboveMax }: Answers,
): { type: 'integer'; minimum?: number; maximum?: number; default?: number } {
  return {
    type: 'integer',
    ...(limitAboveMax === 'reject' && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(initial !== undefined && { default: initial }),
  }
}

/** The contract documents every parameter. Source: contract, Endpoints. */
const documentedProvenance: ProvenanceExtension = { 'x-provenance': 'documented' }

const toExampleEntry = (value: string | number | undefined) => (value === undefined ? {} : { example: value })

function toQueryParameters(
  name: string,
  parameter: IntegerParameter | StringParameter,
  answers: Answers,
  example: Example | undefined,
): Parameter[] {
  const { kind, description } = parameter
  const schema = kind === 'integer' ? toIntegerSchema(parameter, answers) : { type: 'string' as const }
  const value = toExampleEntry(example?.query?.[name])
  const main: Parameter = { name, in: 'query', description, schema, ...value, ...documentedProvenance }
  if (kind !== 'integer' || parameter.alias === undefined) return [main]
  const bounds = toIntegerSchema(parameter, answers)
  delete bounds.default
  const other = `Another name for \`${name}\`; if both are sent, \`${name}\` wins.`
  return [main, { ...main, name: parameter.alias, description: other, schema: bounds, example: undefined }]
}

/** Columns belong to the workspace's data, so the document cannot list them. */
const columnFilters: Parameter = {
  name: 'columns',
  in: 'query',
  style: 'form',
  explode: true,
  description:
    'Equality filters, one parameter for each column: any parameter named after a column keeps only the rows with ' +
    'that value in it. There is no parameter called `columns`.',
  schema: { type: 'object', additionalProperties: { type: 'string' } },
  ...documentedProvenance,
}

export function parametersOf(
  operation: OperationSpec,
  answers: Answers,
  example: Example | undefined,
): Parameter[] {
  const inPath = listPathParameters(operation.path).map((name): Parameter => {
    const description =
      name === 'key'
        ? 'Storage key of the file, URL-encoded as a whole: its slashes are `%2F`.'
        : `Id of the ${referents[name] ?? name.replace(/Id$/, '')}.`
    const value = toExampleEntry(example?.path?.[name])
    return {
      name,
      in: 'path',
      required: true,
      description,
      schema: { type: 'string' },
      ...value,
      ...documentedProvenance,
    }
  })
  return [
    ...inPath,
    ...Object.entries(operation.query ?? {}).flatMap(([name, parameter]) =>
      toQueryParameters(name, parameter, answers, example),
    ),
    ...(operation.columnFilters === true ? [columnFilters] : []),
  ]
}
