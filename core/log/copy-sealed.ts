import { failure, type Failure } from '../failure.ts'
import { sameSealed } from '../ports/same-sealed.ts'
import type { GonePlace, SealedRow, SealedRows } from '../ports/sealed-rows.ts'
import { E, pipe, TE } from '../prelude.ts'
import { sealedPages } from './sealed-pages.ts'

export type CopySealedPorts = { readonly from: Pick<SealedRows, 'list'>; readonly to: SealedRows }

/**
 * Copies sealed rows as they are, with the ids that are gone and the organizations that are closed. What is there already stays, so a copy that was
 * interrupted is finished by the next call; and what is gone in `to` stays gone.
 *
 * @param onPage  called after each page, such as to stop
 * @returns how many rows of `from` are in `to` now; `CONFLICT` where `to` has another row in the place of one
 */
export const copySealed =
  ({ from, to }: CopySealedPorts, onPage: () => void = () => undefined): TE.TaskEither<Failure, number> =>
  async () => {
    let rows = 0
    for await (const page of sealedPages(from)) {
      if (E.isLeft(page)) return page
      for (const entry of page.right) {
        const copied = await ('isGone' in entry ? forget(to, entry) : keep(to, entry))()
        if (E.isLeft(copied)) return copied
        rows += copied.right
      }
      onPage()
    }
    return E.right(rows)
  }

/** Refuses what would be lost: sealed rows of a store, where the other one keeps none. */
export const canCopySealed = (
  from: Pick<SealedRows, 'list'> | undefined,
  to: SealedRows | undefined,
): TE.TaskEither<Failure, void> =>
  from === undefined || to !== undefined
    ? TE.right(undefined)
    : pipe(
        from.list(undefined, 1),
        TE.flatMap((found) => (found.length === 0 ? TE.right(undefined) : TE.left(KEEPS_NONE))),
      )

const forget = (to: SealedRows, { organization, id }: GonePlace): TE.TaskEither<Failure, number> =>
  pipe(
    id === '' ? to.deleteAll(organization) : to.delete({ organization, id }),
    TE.map(() => 0),
  )

const keep = (to: SealedRows, row: SealedRow): TE.TaskEither<Failure, number> =>
  pipe(
    to.put(row),
    TE.flatMap((outcome) => {
      if (outcome !== 'there') return TE.right(outcome === 'put' ? 1 : 0)
      return pipe(
        to.get(row),
        TE.flatMap((found) => {
          if (found === undefined) return TE.right(0) // deleted since
          return sameSealed(found, row) ? TE.right(1) : TE.left(DIFFERS)
        }),
      )
    }),
  )

const KEEPS_NONE = failure(
  'CONFIGURATION_INVALID',
  'the store has sealed rows, such as those of wallets, and the one that is copied into cannot keep any',
)
const DIFFERS = failure('CONFLICT', 'the store that is copied into has other sealed rows under the same ids')
