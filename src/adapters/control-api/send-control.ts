// The type of a control API request from another process. In its own file, so that published types import nothing else.

export interface ControlResponse {
  readonly status: number
  readonly text: string
}

/** Sends a request to a mock's control API; `path` is relative to its root, `body` is JSON. */
export type SendControl = (request: {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly sandbox?: string | undefined
}) => Promise<ControlResponse>
