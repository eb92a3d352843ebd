import type { SealedRows } from '../ports/sealed-rows.ts'
import { E, TE } from '../prelude.ts'
import type { Destroying } from '../resources/wallet/destroying.ts'

/** Deletes the rows of secrets. A store without sealed rows never had any. */
export const destroying = (sealed: SealedRows | undefined): Destroying =>
  sealed === undefined
    ? { destroy: () => nothing, destroyAll: () => nothing }
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

const nothing = TE.right(undefined)
