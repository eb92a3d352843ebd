import type { Attempts } from '../../core/ports/attempts.ts'
import type { SealedRows } from '../../core/ports/sealed-rows.ts'
import { value } from './failures.ts'

/**
 * The borrowed rows behind the border of the store: who goes on with a database that is not that of the log any more must not keep secrets in it,
 * because nobody else would find them.
 */
export const guardedSealed = (sealed: SealedRows, { attempt, write }: Attempts): SealedRows => ({
  put: (row) => write(() => value(sealed.put(row))),
  get: (place) => attempt(() => value(sealed.get(place))),
  replace: (row, by) => write(() => value(sealed.replace(row, by))),
  delete: (place) => write(() => value(sealed.delete(place))),
  deleteAll: (organization) => write(() => value(sealed.deleteAll(organization))),
  list: (after, limit) => attempt(() => value(sealed.list(after, limit))),
})
