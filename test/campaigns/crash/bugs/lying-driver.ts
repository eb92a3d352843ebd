import pg from 'pg'

/** A statement as the adapter gives it to the driver. */
type Statement = { readonly text: string }
type Query = (statement: Statement) => Promise<unknown>

/** Changes what every client of the driver does with a statement. */
const changed = (change: (query: Query, statement: Statement, client: object) => Promise<unknown>): void => {
  const prototype = pg.Client.prototype as { query: Query } // as the adapter calls it
  const { query } = prototype
  prototype.query = function (this: pg.Client, statement) {
    return change((one) => query.call(this, one), statement, this)
  }
}

const LATE_MS = 250

/** Says that a transaction is committed, and commits it a little later. What follows on the connection waits for that. */
export const commitNotAwaited = (): void => {
  const commits = new WeakMap<object, Promise<unknown>>()
  changed(async (query, statement, client) => {
    await commits.get(client)
    if (statement.text !== 'COMMIT') return query(statement)
    const late = new Promise((resolve) => setTimeout(resolve, LATE_MS)).then(() => query(statement))
    commits.set(
      client,
      late.catch(() => undefined),
    )
    return { command: 'COMMIT', rowCount: null, rows: [] }
  })
}
