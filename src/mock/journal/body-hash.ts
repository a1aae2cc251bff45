// A hash of a request body, to tell whether two requests sent the same body.
import { hashOf } from '../../service/store/hash.ts'
import { isMultipart } from '../requests/multipart.ts'

/** The boundary of a multipart body. It differs between attempts that are otherwise identical. */
function boundaryOf(contentType: string | null): Uint8Array | undefined {
  if (!isMultipart(contentType)) return undefined
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType ?? '') ?? []
  const boundary = quoted ?? bare
  return boundary === undefined ? undefined : new TextEncoder().encode(boundary)
}

/** Equal for bodies that differ only in their multipart boundaries. */
export const hashOfBody = (body: Uint8Array, contentType: string | null): string =>
  hashOf([body], boundaryOf(contentType))
