import type { Failure } from '../failure.ts'
import type { GonePlace, SealedPlace, SealedRow, SealedRows } from '../ports/sealed-rows.ts'
import { E } from '../prelude.ts'

const PAGE = 500

/** All sealed rows and gone places, page by page, in the order of the store; the last page is empty. A failure is the last that it gives. */
export async function* sealedPages(
  rows: Pick<SealedRows, 'list'>,
): AsyncGenerator<E.Either<Failure, readonly (SealedRow | GonePlace)[]>, void> {
  let after: SealedPlace | undefined
  do {
    const page: E.Either<Failure, readonly (SealedRow | GonePlace)[]> = await rows.list(after, PAGE)()
    yield page
    if (E.isLeft(page)) return
    after = page.right.at(-1)
  } while (after !== undefined)
}

/** Whether an entry has a secret: a place that is gone has none, nor has a row that only says that something was taken. */
export const isSealed = (entry: SealedRow | GonePlace): entry is SealedRow =>
  !('isGone' in entry) && entry.dataKey !== ''
