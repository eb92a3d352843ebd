// The message names 'readonly'.
import { sqliteStore } from 'countersign/store-sqlite'

export const store = sqliteStore({ path: 'a.db', readonly: true })
