// Fetch responses with a text body. The platform creates a stream for every body and copies the headers, which together
// cost more than the rest of a request; here both are created only when used.
import { reasonPhraseOf } from '../../contract/data/reason-phrases.ts'
import { getOrInsert } from '../../contract/data/maps.ts'
import type { ApiResponse } from '../../mock/requests/call.ts'
import { jsonHeaders } from '../../mock/requests/responses.ts'

let readyHeaders: Headers | undefined
/** Most responses have these headers, and copying a `Headers` object takes half as long as copying a plain one. */
const getReadyHeaders = () => (readyHeaders ??= new Headers(jsonHeaders))

/** Creates a response class whose text can be read without a stream. */
function createLazyClass(Platform: typeof Response) {
  return class TextResponse extends Platform {
    readonly #text: string
    readonly #given: HeadersInit
    #headers: Headers | undefined
    #isRead = false
    /** The platform's own response for the text, created once something needs a stream. */
    #made: Response | undefined

    constructor(text: string, headers: HeadersInit, init: ResponseInit) {
      super(null, init)
      this.#text = text
      this.#given = headers
    }

    override get headers() {
      return (this.#headers ??= new Headers(this.#given === jsonHeaders ? getReadyHeaders() : this.#given))
    }

    get #whole(): Response {
      if (!this.#made) {
        // A byte stream with the text as one chunk, like the platform's.
        const text = this.#text
        const stream = new ReadableStream({
          type: 'bytes',
          start(controller) {
            controller.enqueue(new TextEncoder().encode(text))
            controller.close()
          },
        })
        this.#made = new Platform(stream)
        if (this.#isRead) void this.#made.text()
      }
      return this.#made
    }

    override get body() {
      return this.#whole.body
    }

    override get bodyUsed() {
      return this.#made?.bodyUsed ?? this.#isRead
    }

    override text() {
      if (this.#isRead || this.#made) return this.#whole.text()
      this.#isRead = true
      return Promise.resolve(this.#text)
    }

    override async json(): Promise<unknown> {
      return JSON.parse(await this.text())
    }

    override arrayBuffer() {
      return this.#whole.arrayBuffer()
    }

    override async bytes() {
      return new Uint8Array(await this.arrayBuffer())
    }

    override async blob() {
      return new Blob([await this.arrayBuffer()], { type: this.headers.get('content-type') ?? '' })
    }

    override formData() {
      return this.#whole.formData()
    }

    override clone(): Response {
      const { status, statusText, headers } = this
      if (!this.#isRead && !this.#made)
        return new TextResponse(this.#text, new Headers(headers), { status, statusText })
      return new Platform(this.#whole.clone().body, { status, statusText, headers })
    }
  }
}

/** True if the class is Node's own. Other platforms read bodies without these methods, and test environments vary. */
function isOfNode(Platform: typeof Response): boolean {
  const versions = (globalThis.process as typeof process | undefined)?.versions
  const { node, bun, deno }: Partial<Record<string, string>> = versions ?? {}
  if (node === undefined || bun !== undefined || deno !== undefined) return false
  return (['body', 'bodyUsed', 'headers'] as const).every(
    (name) => Object.getOwnPropertyDescriptor(Platform.prototype, name)?.get,
  )
}

/** By platform class, shared by all mocks. */
const lazyClasses = new WeakMap<object, { readonly Lazy: ReturnType<typeof createLazyClass> | undefined }>()

function getLazyClass() {
  // Not `Response` itself, because interceptors replace it with a proxy that slows down every call.
  const Platform = Response.prototype.constructor as typeof Response
  return getOrInsert(lazyClasses, Platform, () => ({
    Lazy: isOfNode(Platform) ? createLazyClass(Platform) : undefined,
  })).Lazy
}

export function toFetchResponse({ status, headers, body }: ApiResponse, method: string): Response {
  const TextResponse = typeof body === 'string' && method !== 'HEAD' ? getLazyClass() : undefined
  const init = { status, statusText: reasonPhraseOf(status) }
  if (TextResponse) return new TextResponse(body as string, headers, init)
  return new Response(method === 'HEAD' ? null : (body as BodyInit | null), { ...init, headers })
}
