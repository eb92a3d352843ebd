import { failure, type Failure } from '../../core/failure.ts'
import type { Keystore } from '../../core/ports/keystore.ts'
import { isSealed, sealedPages } from '../../core/log/sealed-pages.ts'
import type { SealedRow, SealedRows } from '../../core/ports/sealed-rows.ts'
import { E, type TE } from '../../core/prelude.ts'
import { dataKeysOf, type DataKeys } from './data-keys.ts'
import { wrapperOf } from './keystore-keys.ts'
import { sealed, unsealed } from './sealing.ts'

export type Rotation = {
  readonly rows: SealedRows
  readonly keystore: Keystore
  /** The id of the keystore's first key. */
  readonly keyId: string
}

/** How many rows were sealed anew, and how many are as they were because they do not open: somebody has changed them. */
export type Rotated = { readonly resealed: number; readonly unreadable: number }

/**
 * Seals all rows anew under one new data key that the keystore's first key wraps, but for those under such a data key already: so a second call
 * goes on where one has stopped. Other processes may use the store: a row that was replaced meanwhile is read again, and one that was deleted
 * stays deleted.
 */
export const rotate =
  ({ rows, keystore, keyId }: Rotation): TE.TaskEither<Failure, Rotated> =>
  async () => {
    const dataKeys = dataKeysOf(keystore)
    let [resealed, unreadable] = [0, 0]
    for await (const row of rowsUnderOthers(rows, keyId)) {
      if (E.isLeft(row)) return row
      const done = await reseal(rows, dataKeys, keyId, row.right)
      if (E.isLeft(done) && done.left !== doesNotOpen) return done
      if (E.isLeft(done)) unreadable += 1
      else if (done.right) resealed += 1
    }
    return E.right({ resealed, unreadable })
  }

/** The ids of the keys, other than this one, that rows of the store need; empty for a keystore of another kind. */
export const othersNeeded =
  (rows: SealedRows, keyId: string): TE.TaskEither<Failure, ReadonlySet<string>> =>
  async () => {
    const needed = new Set<string>()
    for await (const row of rowsUnderOthers(rows, keyId)) {
      if (E.isLeft(row)) return row
      needed.add(wrapperOf(row.right.dataKey) ?? '')
    }
    return E.right(needed)
  }

/** @returns whether the row was sealed anew, and not deleted or done by another process */
const reseal = async (
  rows: SealedRows,
  dataKeys: DataKeys,
  keyId: string,
  first: SealedRow,
): Promise<E.Either<Failure, boolean>> => {
  let row: SealedRow | undefined = first
  while (row !== undefined && wrapperOf(row.dataKey) !== keyId) {
    const by = await sealedAnew(dataKeys, row)
    if (E.isLeft(by)) return by
    const replaced = await rows.replace(row, by.right)()
    if (E.isLeft(replaced) || replaced.right) return replaced
    const now: E.Either<Failure, SealedRow | undefined> = await rows.get(row)()
    if (E.isLeft(now)) return now
    row = now.right
  }
  return E.right(false)
}

const sealedAnew = async (dataKeys: DataKeys, row: SealedRow): Promise<E.Either<Failure, SealedRow>> => {
  const own = await dataKeys.own()
  const key = await dataKeys.unwrap(row.dataKey)()
  if (E.isLeft(own)) return own
  if (E.isLeft(key)) return key
  const secret = unsealed(key.right, row)
  if (secret === undefined) return E.left(doesNotOpen)
  try {
    return E.right(sealed(own.right, row, row.kind, secret))
  } finally {
    secret.fill(0)
  }
}

const doesNotOpen = failure('STORE_UNREADABLE', 'a sealed row does not open: it was changed by somebody else')

/** The rows whose data key another key has wrapped. A failure is the last one. */
const rowsUnderOthers = async function* (
  rows: SealedRows,
  keyId: string,
): AsyncGenerator<E.Either<Failure, SealedRow>, void> {
  for await (const page of sealedPages(rows)) {
    if (E.isLeft(page)) yield page
    else for (const entry of page.right) if (isSealed(entry) && wrapperOf(entry.dataKey) !== keyId) yield E.right(entry)
  }
}
