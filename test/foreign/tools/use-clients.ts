// Uses every generated client against a mock and prints what each got: tsx use-clients.ts BASE-URL KEY.
import * as heyApi from './clients/hey-api.ts'
import * as kubb from './clients/kubb.ts'
import * as openapiTypescript from './clients/openapi-typescript.ts'
import * as openapiZodClient from './clients/openapi-zod-client.ts'
import * as orval from './clients/orval.ts'
import * as swaggerTypescriptApi from './clients/swagger-typescript-api.ts'

const clients = { heyApi, kubb, openapiTypescript, openapiZodClient, orval, swaggerTypescriptApi }
const [baseUrl = '', key = ''] = process.argv.slice(2)
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

const seen: Record<string, unknown> = {}
for (const [name, { use }] of Object.entries(clients))
  seen[name] = await use(baseUrl, headers).catch((thrown: unknown) => String(thrown))
process.stdout.write(JSON.stringify(seen))
