/*
 * What this adapter needs of `pg`. The types are our own, so that a host that compiles against this package does not need those of `pg`;
 * and every statement brings its own readers of values, because a host may have changed those of the process.
 */

/** A row, in the order of the selected columns. */
export type Row = readonly unknown[]
export type Result = { readonly rows: readonly Row[]; readonly rowCount: number | null; readonly command: string }

/** A value of a statement. Bytes are sent as they are. */
export type Value = null | string | bigint | number | Uint8Array | readonly (null | string | bigint)[]

type Statement = {
  readonly text: string
  /** The server keeps the plan of the statement under this name, for this connection. */
  readonly name?: string
  readonly values?: readonly unknown[]
  readonly rowMode: 'array'
  readonly types: typeof types
  readonly query_timeout?: number
}

/** A client of `pg`, connected or not. */
export type DriverClient = {
  readonly connect: () => Promise<unknown>
  readonly query: (statement: Statement) => Promise<unknown>
  readonly end: () => Promise<void>
  /** The process of the server that the connection was told to be with, once it is there. */
  readonly processID?: unknown
  /** Where the driver is written in JavaScript. */
  readonly connection?: { readonly stream: { readonly cork: () => void; readonly uncork: () => void } }
  readonly on: (event: never, listener: never) => unknown
  readonly removeListener: (event: never, listener: never) => unknown
  /** Whether the connection keeps the process from ending. */
  readonly ref: () => void
  readonly unref: () => void
}

/** A client that a pool has lent. */
export type LentClient = Pick<DriverClient, 'query' | 'on' | 'removeListener'> & {
  readonly release: (isBroken?: boolean) => void
}

/** A pool of `pg`, as a host may have one. */
export type PostgresPool = {
  readonly connect: () => Promise<LentClient>
  /** The options that the pool was made with. */
  readonly options: object
}

/** The class of clients. */
export type ClientClass = new (config: object) => DriverClient

const INT8 = 20
const INT4 = 23
const BYTEA = 17
const BOOL = 16

/** int8 never becomes a number: it would be rounded. */
const types = {
  getTypeParser: (oid: number): ((text: string) => unknown) => {
    switch (oid) {
      case INT8:
        return BigInt
      case INT4:
        return Number
      case BYTEA:
        return bytesOf
      case BOOL:
        return (text) => text === 't'
      default:
        return (text) => text
    }
  },
}

/** `pg` reads every value as text; bytes come as `\x` and hex. */
const bytesOf = (text: string): Uint8Array => {
  const read = Buffer.from(text.slice(2), 'hex')
  return new Uint8Array(read.buffer, read.byteOffset, read.length)
}

/** How a statement is run: how long to wait for its answer, if not as long as the client was made for; and the name of its plan. */
export type Manner = { readonly timeoutMs?: number | undefined; readonly name?: string | undefined }

/** Runs one statement. */
export const ask = async (
  client: Pick<DriverClient, 'query'>,
  text: string,
  values?: readonly Value[],
  { timeoutMs, name }: Manner = {},
): Promise<Result> => {
  const bound = {
    ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
    ...(name === undefined ? {} : { name }),
  }
  const given = values === undefined ? {} : { values: values.map(sent) }
  const result = await client.query({ text, ...given, rowMode: 'array', types, ...bound })
  return (Array.isArray(result) ? result.at(-1) : result) as Result // what `pg` gives in this mode; a list for several statements
}

/** `pg` sends a Buffer without copying it, and any other view only since a late version. */
const sent = (value: Value): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value

/** Listens to a client. The types of `pg` are overloads that no structure can state. */
export const listen = (
  client: Pick<DriverClient, 'on' | 'removeListener'>,
  event: 'error' | 'end' | 'notification' | 'notice',
  listener: (of: unknown) => void,
): (() => void) => {
  client.on(event as never, listener as never)
  return () => void client.removeListener(event as never, listener as never)
}
