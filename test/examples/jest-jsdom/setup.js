// jsdom's own FormData and File lose the names and contents of files on their way into Node's fetch; Node's do not.
import { Blob, File } from 'node:buffer'

const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const { constructor: FormData } = await new Response('', { headers }).formData()
Object.assign(globalThis, { Blob, File, FormData })
