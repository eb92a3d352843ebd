import { schemaSql } from './schema.ts'
import { quote, tableNames, type TableName, type Tables } from './tables.ts'

/** What may be done with the rows of a table. */
export type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'

const ALL: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']
const LEAST: { readonly [name in TableName]?: readonly Right[] } = {
  countersign_store: ['SELECT', 'UPDATE'],
  organizations: ['SELECT', 'INSERT'],
  events: ['SELECT', 'INSERT'],
  parts: ['SELECT', 'INSERT', 'DELETE'],
}

/** The least rights that a writing engine needs on a table: events are never changed, and parts are only erased. */
export const rightsOn = (name: TableName): readonly Right[] => LEAST[name] ?? ALL

/** The statements that give a user the rights that it needs on a store that is there. */
export const grantsSql = (t: Tables, role: string): string =>
  [
    `GRANT USAGE ON SCHEMA ${quote(t.schema)} TO ${quote(role)};`,
    ...tableNames.map((name) => `GRANT ${rightsOn(name).join(', ')} ON ${t[name]} TO ${quote(role)};`),
  ].join('\n')

/** The statements by which an administrator makes the store for a user who may make nothing. */
export const administratorSql = (t: Tables, role: string): string =>
  `BEGIN;\n${schemaSql(t).replaceAll(/\n\s*\n/g, '\n')}\n${grantsSql(t, role)}\nCOMMIT;`
