import type { SealedRows } from '../ports/sealed-rows.ts'
import { failure } from '../failure.ts'
import { E, TE } from '../prelude.ts'
import type { Destroying } from '../resources/wallet/destroying.ts'

/** Deletes the rows of secrets. Where the store has no sealed rows, those of a wallet are elsewhere: it is not said that they are gone. */
export const destroying = (sealed: SealedRows | undefined): Destroying =>
  sealed === undefined
    ? { destroy: () => TE.left(noRows), destroyAll: () => TE.right(undefined) }
    : {
        destroy: (organization, ids) => async () => {
          for (const id of ids) {
            const deleted = await sealed.delete({ organization, id })()
            if (E.isLeft(deleted)) return deleted
          }
          return E.right(undefined)
        },
        destroyAll: (organization) => sealed.deleteAll(organization),
      }

const noRows = failure('UNAVAILABLE', 'the store keeps no sealed rows: open it as it was when the keys were made')
