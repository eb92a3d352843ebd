import type { SealedRows } from '../core/ports/sealed-rows.ts'

/** The sealed rows of a store that keeps some, as all of ours do. */
export const sealedOf = ({ sealed }: { readonly sealed?: SealedRows | undefined }): SealedRows => {
  if (sealed === undefined) throw new Error('the store of a test keeps sealed rows')
  return sealed
}
