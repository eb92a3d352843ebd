import { failure, type Failure } from '../../core/failure.ts'
import { sameSealed } from '../../core/ports/same-sealed.ts'
import type { GonePlace, SealedPlace, SealedRow, SealedRows } from '../../core/ports/sealed-rows.ts'
import { E, type TE } from '../../core/prelude.ts'
import { compareUtf8 } from './compare-utf8.ts'

/** The rows, and the way to refuse all later calls. */
export const memorySealedRows = (): { readonly sealed: SealedRows; readonly end: () => void } => {
  /** By place. The place of an organization that is closed has no id. */
  const entries = new Map<string, SealedRow | GonePlace>()
  let hasEnded = false

  const attempt =
    <A>(run: () => A): TE.TaskEither<Failure, A> =>
    () =>
      Promise.resolve(hasEnded ? E.left(failure('UNAVAILABLE', 'the store is closed')) : E.right(run()))

  const at = ({ organization, id }: SealedPlace) => entries.get(keyOf({ organization, id }))
  const rowAt = (place: SealedPlace): SealedRow | undefined => {
    const found = at(place)
    return found === undefined || 'isGone' in found ? undefined : found
  }
  const canTake = ({ organization, id }: SealedPlace): boolean =>
    id !== '' && at({ organization, id: '' }) === undefined && at({ organization, id }) === undefined
  const set = (entry: SealedRow | GonePlace): void => void entries.set(keyOf(entry), entry)

  const sealed: SealedRows = {
    put: (row) =>
      attempt(() => {
        if (!canTake(row)) return rowAt(row) === undefined ? 'gone' : 'there'
        set(copyOf(row))
        return 'put'
      }),
    get: (place) =>
      attempt(() => {
        const row = rowAt(place)
        return row && copyOf(row)
      }),
    replace: (row, by) =>
      attempt(() => {
        const found = rowAt(row)
        if (found === undefined || !sameSealed(found, row)) return false
        set(copyOf({ ...by, organization: row.organization, id: row.id }))
        return true
      }),
    delete: ({ organization, id }) =>
      attempt(() => {
        const place = { organization, id }
        if (rowAt(place) !== undefined || canTake(place)) set({ ...place, isGone: true })
      }),
    deleteAll: (organization) =>
      attempt(() => {
        for (const [key, entry] of entries) if (entry.organization === organization) entries.delete(key)
        set({ organization, id: '', isGone: true })
      }),
    list: (after, limit) =>
      attempt(() =>
        [...entries.values()]
          .filter((entry) => after === undefined || comparePlaces(entry, after) > 0)
          .sort(comparePlaces)
          .slice(0, limit)
          .map((entry) => ('isGone' in entry ? entry : copyOf(entry))),
      ),
  }
  return { sealed, end: () => void (hasEnded = true) }
}

/** As JSON, two different pairs never have the same key. */
const keyOf = ({ organization, id }: SealedPlace): string => JSON.stringify([organization, id])

const comparePlaces = (a: SealedPlace, b: SealedPlace): number =>
  compareUtf8(a.organization, b.organization) || compareUtf8(a.id, b.id)

const copyOf = ({ organization, id, kind, dataKey, bytes }: SealedRow): SealedRow => ({
  ...{ organization, id, kind, dataKey },
  bytes: new Uint8Array(bytes),
})
