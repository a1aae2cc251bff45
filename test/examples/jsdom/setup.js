// jsdom's FormData and File lose names and contents of files when Node's fetch sends them; Node's own do not.
import { Blob, File } from 'node:buffer'

const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const { constructor: FormData } = await new Response('', { headers }).formData()
Object.assign(globalThis, { Blob, File, FormData })
