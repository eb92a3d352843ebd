import type { Connection, Value } from './connection.ts'

/** Inserts the rows of one table many at a time, because each call into SQLite costs as much as a small row. */
export type BatchedInsert = {
  readonly add: (...row: readonly Value[]) => void
  /** Inserts the rows that still wait. */
  readonly flush: () => void
  /** Drops the rows that still wait. */
  readonly forget: () => void
}

const BATCHES = [32, 8, 2, 1] as const

export const batchedInsert = (db: Connection, table: string, columns: number): BatchedInsert => {
  const row = `(${Array<string>(columns).fill('?').join(', ')})`
  const inserts = BATCHES.map(
    (rows) =>
      [rows * columns, db.command(`INSERT INTO ${table} VALUES ${Array<string>(rows).fill(row).join(', ')}`)] as const,
  )
  let waiting: Value[] = []

  const flush = (): void => {
    let at = 0
    for (const [size, insert] of inserts) {
      for (; waiting.length - at >= size; at += size) insert.run(waiting.slice(at, at + size))
    }
    waiting = []
  }

  return {
    add: (...values) => {
      waiting.push(...values)
      if (waiting.length === BATCHES[0] * columns) flush()
    },
    flush,
    forget: () => {
      waiting = []
    },
  }
}
