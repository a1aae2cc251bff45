// Replays recorded exchanges through Prism as a proxy: node prism.mjs DOCUMENT EXCHANGES.
// Prints, as JSON, how many exchanges passed, how many Prism could not parse, and each violation it reported.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { createLogger } from '@stoplight/prism-core'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import prismServer from '@stoplight/prism-http-server'

const [document, file] = process.argv.slice(2)
const exchanges = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

/** Headers that belong to one connection, and the one that Prism reads itself. */
const hop = /^(?:prefer|connection|keep-alive|transfer-encoding|content-length|content-encoding|host)$/
const passedOn = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !hop.test(name)))

// Sends the recorded response of the exchange that the request names.
const reached = new Set()
const upstream = http.createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const number = Number(request.headers['x-exchange'])
    reached.add(number)
    const { status, answerHeaders, answer } = exchanges[number]
    response.writeHead(status, passedOn(answerHeaders)).end(Buffer.from(answer, 'latin1'))
  })
})
await new Promise((done) => upstream.listen(0, '127.0.0.1', done))

const prism = prismServer.createServer(await getHttpOperationsFromSpec(document), {
  cors: false,
  components: { logger: createLogger('prism', { level: 'silent' }) },
  config: {
    isProxy: true,
    upstream: new URL(`http://127.0.0.1:${upstream.address().port}/v1`),
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    mock: false,
    errors: false,
  },
})
const address = await prism.listen(0, '127.0.0.1')

// Prism never responds to a request on which it throws.
let giveUp = () => {}
process.on('uncaughtException', () => giveUp([]))
process.on('unhandledRejection', () => giveUp([]))

const agent = new http.Agent({ keepAlive: true })
function send(number) {
  const { method, url, headers, body } = exchanges[number]
  const { pathname, search } = new URL(url)
  const bytes = Buffer.from(body, 'latin1')
  return new Promise((resolve) => {
    giveUp = resolve
    const timer = setTimeout(resolve, 1000, [])
    const request = http.request(
      address + pathname.replace(/^(\/sandboxes\/[^/]+)?\/v1/, '') + search,
      {
        agent,
        method,
        headers: {
          ...passedOn(headers),
          'x-exchange': String(number),
          ...(bytes.length > 0 && { 'content-length': bytes.length }),
        },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(violationsOf(response.headers['sl-violations'] ?? '[]')))
      },
    )
    request.on('error', () => resolve([]))
    request.on('close', () => clearTimeout(timer))
    request.end(bytes)
  })
}

/** Violations are JSON, unless the list is too long for a header; then the header is a sentence. */
const violationsOf = (header) => (header.startsWith('[') ? JSON.parse(header) : [{ message: header }])

const isDecodable = (text) => {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

const found = []
const unparsed = []
for (const [number, { method, url, status, headers, body }] of exchanges.entries()) {
  const { pathname, search } = new URL(url)
  // Prism never responds to an address that cannot be decoded.
  const violations = isDecodable(pathname + search) ? await send(number) : []
  if (!reached.has(number))
    unparsed.push({
      address: pathname + search,
      status,
      type: headers['content-type'] ?? '',
      body: body.slice(0, 100),
    })
  for (const { location = [], code, message } of violations)
    found.push({ method, path: pathname + search, status, at: location.join('.'), code, message })
}
process.stdout.write(JSON.stringify({ exchanges: exchanges.length, unparsed, found }), () => process.exit(0))
