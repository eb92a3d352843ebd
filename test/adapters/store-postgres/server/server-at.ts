import { Client } from 'pg'

export type PostgresServer = {
  /** Of a user who may do everything. */
  readonly url: string
  /** The same server, with other pieces of the URL. */
  readonly urlOf: (pieces: Partial<Pieces>) => string
  /** Runs statements as that user, and gives the rows of the last one. */
  readonly run: (
    sql: string,
    values?: readonly unknown[],
    database?: string,
  ) => Promise<readonly Record<string, unknown>[]>
  /** Ends the server as a loss of power would, and starts it again. Only for a server of ours. */
  readonly restart?: () => Promise<void>
  /**
   * Kills the first process of the server, whose others end by themselves when they notice it, and starts it again when they are gone. Only for
   * a server of ours.
   */
  readonly crash?: () => Promise<void>
}
export type Pieces = {
  readonly user: string
  readonly password: string
  readonly database: string
  readonly search: string
}

/** A server at an address. */
export const serverAt = (url: string): PostgresServer => {
  const urlOf: PostgresServer['urlOf'] = (pieces) => {
    const parsed = new URL(url)
    if (pieces.user !== undefined) parsed.username = encodeURIComponent(pieces.user)
    if (pieces.password !== undefined) parsed.password = encodeURIComponent(pieces.password)
    if (pieces.database !== undefined) parsed.pathname = `/${encodeURIComponent(pieces.database)}`
    if (pieces.search !== undefined) parsed.search = pieces.search
    return parsed.href
  }
  return {
    url,
    urlOf,
    run: async (sql, values, database) => {
      const client = new Client({ connectionString: database === undefined ? url : urlOf({ database }) })
      client.on('error', () => {})
      await client.connect()
      try {
        const found: unknown = await client.query(sql, values === undefined ? undefined : [...values])
        const last = (Array.isArray(found) ? found.at(-1) : found) as { readonly rows: Record<string, unknown>[] } // of `pg`
        return last.rows
      } finally {
        await client.end()
      }
    },
  }
}
