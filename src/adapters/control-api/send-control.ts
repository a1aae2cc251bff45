// The type of a request to the control API from outside this process; alone, so that published types need nothing else.

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
