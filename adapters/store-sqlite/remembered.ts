import { boundedMap } from '../../core/collections/bounded-map.ts'
import type { Connection, Statement } from './connection.ts'

const STATEMENTS_MAX = 200

/** Keeps queries by their text: there are few of them, and preparing one costs more than running it. */
export const rememberedStatements = (db: Connection): ((sql: string) => Statement) => {
  const statements = boundedMap<string, Statement>(STATEMENTS_MAX)
  return (sql) => {
    const statement = statements.get(sql) ?? db.query(sql)
    statements.set(sql, statement)
    return statement
  }
}
