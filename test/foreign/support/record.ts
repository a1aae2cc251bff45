// Appends every exchange of this worker's tests to the file that `EXCHANGES` names.
import { appendFileSync } from 'node:fs'
import { createWorkspaceMock } from '../../../src/index.ts'
import type { Exchange } from './exchange.ts'

const largest = 300_000
const usualAnswers = JSON.stringify(createWorkspaceMock().answers)
const bytesOf = async (message: Request | Response) =>
  Buffer.from(await message.arrayBuffer()).toString('latin1')
const state = globalThis as { recordedFetch?: typeof fetch }

if (!state.recordedFetch) {
  const plain = globalThis.fetch
  state.recordedFetch = async (...sent) => {
    const request = new Request(...sent)
    const copy = request.clone()
    const response = await plain(request)
    const [body, answer] = await Promise.all([bytesOf(copy), bytesOf(response.clone())])
    const exchange: Exchange = {
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body,
      status: response.status,
      answerHeaders: Object.fromEntries(response.headers),
      answer,
    }
    const isOfApi = request.method !== 'OPTIONS' && !request.headers.has('x-mock-sandbox')
    if (!isOfApi || body.length + answer.length > largest) return response
    // The document assumes the default answers.
    const answers = await (await plain(new URL('/__mock/answers', request.url))).text()
    if (answers === usualAnswers) appendFileSync(process.env.EXCHANGES ?? '', `${JSON.stringify(exchange)}\n`)
    return response
  }
  globalThis.fetch = state.recordedFetch
}
