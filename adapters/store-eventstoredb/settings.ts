/** How to reach the server, and how long to wait for it. */
export type ClientSettings = {
  /** A URL such as `esdb://user:password@one:2113,two:2113`; see `targetOf`. */
  readonly connectionString: string
  /**
   * A stream that the user of the store may write to, and that nobody writes: the leader is asked for an append that it has to refuse.
   * Default: `countersign-check`.
   */
  readonly checkStream?: string
  /** Whether a user will do who may not write. Default: false. */
  readonly readOnly?: boolean
  /** How long finding the leader may take, in ms. Default: 10,000. */
  readonly connectTimeoutMs?: number
  /** After this time an append whose answer has not come is `unknown`, in ms; it holds for tombstones and `checkLeader`, too. Default: 10,000. */
  readonly appendTimeoutMs?: number
  /** How long reading a page may take, in ms. Default: 30,000. */
  readonly readTimeoutMs?: number
}

export const clientDefaults = {
  checkStream: 'countersign-check',
  connectTimeoutMs: 10_000,
  appendTimeoutMs: 10_000,
  readTimeoutMs: 30_000,
} as const

/** The largest event that a server takes, whatever its configuration: 16 MiB with name, type and metadata. */
export const EVENT_BYTES_MAX = 16 * 1024 * 1024 - 64 * 1024
